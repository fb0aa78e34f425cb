import 'reflect-metadata';
import { JsonLogger } from './common/logging/json-logger.js';
import { SettingsError } from './config/env-reader.js';
import { loadSettings } from './config/settings.js';
import { migrate } from './database/migrate.js';
import { createApp } from './app.setup.js';
import { startRuntime, type Runtime } from './runtime.js';

async function start(): Promise<void> {
  const settings = loadSettings();
  const logger = new JsonLogger(settings.logLevel);
  const runtime = await startRuntime(settings, (message) => logger.log(message, 'Runtime'));
  try {
    await migrate(runtime.settings.databaseUrl);
    const app = await createApp(runtime.settings, logger);
    stopOnSignal(() => app.close(), runtime, logger);
    await app.listen(settings.http.port, settings.http.host);
    const { publicUrl, apiPrefix } = settings.http;
    logger.log(`Ready: ${publicUrl}${apiPrefix} (role ${settings.role}), documentation at ${publicUrl}/docs`, 'Main');
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

/** The first signal drains, a second one gives up waiting. */
function stopOnSignal(close: () => Promise<void>, runtime: Runtime, logger: JsonLogger): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.log('Stopping', 'Main');
    await close().catch((error: unknown) => logger.error(error, 'Main'));
    await runtime.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

start().catch((error: unknown) => {
  if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The service could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
