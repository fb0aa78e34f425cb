import 'reflect-metadata';
import { createApp } from '#src/app.setup.js';
import { loadSettings } from '#src/config/settings.js';
import { ApiDocumentService } from '#src/pages/api-document.service.js';
import { toExplanation } from './output.js';
import { migrate } from '#src/database/migrate.js';
import { requireTables, withDatabase } from './operator/database.js';
import { idleSettings } from './operator/operator.js';

/** Prints the OpenAPI document that the service serves at `/docs-json`, for client generators. */
async function printDocument(): Promise<void> {
  const settings = loadSettings();
  await withDatabase(settings, async ({ url, isOwn }) => {
    if (isOwn) await migrate(url, settings.catalogueFile);
    else await requireTables(url);
    const app = await createApp(idleSettings(settings, url), false);
    await app.init();
    const document = app.get(ApiDocumentService, { strict: false }).document();
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    await app.close();
  });
}

try {
  await printDocument();
} catch (error) {
  const { exitCode, text } = toExplanation(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
