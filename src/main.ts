import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JsonLogger } from './common/logging/json-logger.js';
import { SettingsError } from './config/env-reader.js';
import { isSandboxCarrier, isSandboxModel } from './config/production-rules.js';
import { loadSettings } from './config/settings.js';
import { type Settings } from './config/settings.types.js';
import { createApp } from './app.setup.js';
import { startRuntime, type Runtime } from './runtime.js';
import { stopOnSignal } from './stop-on-signal.js';

// V8 learns from the start-up to put what a database query allocates into the old generation at once. There, each dead
// query keeps the next one from being collected: up to a fifth of the processor's time (npm run bench -- rest).
setFlagsFromString('--no-allocation-site-pretenuring');

const startedAt = performance.now();

async function start(): Promise<void> {
  const settings = loadSettings();
  const logger = new JsonLogger(settings.logLevel);
  if (settings.production) warnOfSandbox(settings, logger);
  const stop = stopOnSignal(logger);
  const runtime = await startRuntime(settings, (message) => logger.log(message, 'Runtime'), stop);
  const app = await createApp(runtime.settings, logger);
  stop.onShutdown(() => app.close());
  await app.init();
  // Before the port is open: whoever finds the service ready finds the file with the tokens, too.
  const greeting = runtime.embedded ? await welcome(app, runtime) : null;
  await app.listen(settings.http.port, settings.http.host);
  if (greeting !== null)
    process.stdout.write(`${greeting()}
`);
  const { publicUrl, apiPrefix, docsEnabled } = settings.http;
  const docs = docsEnabled ? `, documentation at ${publicUrl}/docs` : '';
  logger.log(`Ready: ${publicUrl}${apiPrefix} (role ${settings.role})${docs}`, 'Main');
}

/** Settings have refused it unless an operator allowed it. */
function warnOfSandbox({ carrier, model }: Settings, logger: JsonLogger): void {
  const parts = [
    ...(isSandboxCarrier(carrier)
      ? ['carrier (no call is made and no message is sent, accounts are charged)']
      : []),
    ...(isSandboxModel(model, carrier) ? ['language model (it answers from a script)'] : []),
  ];
  if (parts.length > 0) logger.warn(`ALLOW_SANDBOX: the sandbox is the ${parts.join(' and the ')}`, 'Main');
}

/** On somebody's own machine: accounts to try things with, and what to type first. */
async function welcome(
  app: NestFastifyApplication,
  { settings, sandboxUrl }: Runtime,
): Promise<() => string> {
  const { ensureDemoAccounts } = await import('./cli/demo-accounts.js');
  const { banner } = await import('./cli/banner.js');
  const { publicUrl, apiPrefix } = settings.http;
  const demo = await ensureDemoAccounts(app, {
    dataDir: settings.dataDir,
    baseUrl: publicUrl + apiPrefix,
    docsUrl: `${publicUrl}/docs`,
    sandboxUrl,
  });
  return () => banner(demo, { seconds: (performance.now() - startedAt) / 1000 });
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof SettingsError ? text : `The service could not start: ${text}`}\n`);
  process.exitCode = 1;
  // What was started already is stopped as a signal would stop it.
  if (!process.emit('SIGTERM')) process.exit();
});
