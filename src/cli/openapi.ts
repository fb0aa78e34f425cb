import 'reflect-metadata';
import { createApp } from '#src/app.setup.js';
import { loadSettings } from '#src/config/settings.js';
import { openApiDocument } from '#src/openapi.js';
import { explain } from './output.js';
import { withDatabase } from './operator/database.js';
import { idle } from './operator/operator.js';

/** Prints the OpenAPI document, as the service has it at `/docs-json`: for generators of clients. */
async function printDocument(): Promise<void> {
  const settings = loadSettings();
  await withDatabase(settings, async ({ url }) => {
    const app = await createApp(idle(settings, url), false);
    await app.init();
    process.stdout.write(`${JSON.stringify(openApiDocument(app, settings), null, 2)}\n`);
    await app.close();
  });
}

try {
  await printDocument();
} catch (error) {
  const { exitCode, text } = explain(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
