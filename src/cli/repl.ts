import 'reflect-metadata';
import { once } from 'node:events';
import { repl } from '@nestjs/core';
import { AppModule } from '#src/app.module.js';
import { loadSettings } from '#src/config/settings.js';
import { migrate } from '#src/database/migrate.js';
import { toExplanation } from './output.js';
import { requireTables, withDatabase } from './operator/database.js';
import { idleSettings, withOwnKeys } from './operator/operator.js';

/** Nest's REPL with the application's providers: `await get(PlansService).listPlans()`. No job runs in it. */
async function startRepl(): Promise<void> {
  const settings = withOwnKeys(loadSettings());
  await withDatabase(settings, async ({ url, isOwn }) => {
    if (isOwn) await migrate(url, settings.catalogueFile);
    else await requireTables(url);
    const server = await repl(AppModule.forRoot(idleSettings(settings, url)));
    // Nest closes the application in an `exit` listener and does not wait for it. Here it is awaited, because the
    // private database is stopped afterwards.
    const closers = server.listeners('exit');
    server.removeAllListeners('exit');
    await once(server, 'exit');
    for (const close of closers) await close.call(server);
  });
}

try {
  await startRepl();
} catch (error) {
  const { exitCode, text } = toExplanation(error);
  if (text !== null) process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
