import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JsonLogger } from './common/logging/json-logger.js';
import { SettingsError } from './config/env-fields.js';
import { isSandboxCarrier, isSandboxModel } from './config/production-rules.js';
import { loadSettings, type Settings } from './config/settings.js';
import { startRuntime, type Runtime } from './process/runtime.js';
import { stopOnSignal, type ShutdownSteps } from './process/stop-on-signal.js';

const startedAt = Date.now();

/**
 * Only here, not at the top of this file: its more than 2,000 modules are loaded while the servers start, and not at
 * all for wrong settings.
 */
const loadApp = () => import('./app.setup.js');

async function start(): Promise<void> {
  const settings = loadSettings();
  const logger = new JsonLogger(settings.logLevel);
  const stop = stopOnSignal(logger);
  if (settings.production) warnOfSandbox(settings, logger);
  const [runtime, { createApp }] = await Promise.all([
    startRuntime(settings, (message) => logger.log(message, 'Runtime'), stop),
    loadApp(),
  ]);
  stop.onShutdown(await traced(runtime, logger));
  await serve(await createApp(runtime.settings, logger), runtime, logger, stop);
}

/** Answers requests until the process is stopped. */
async function serve(
  app: NestFastifyApplication,
  runtime: Runtime,
  logger: JsonLogger,
  stop: ShutdownSteps,
): Promise<void> {
  const { http, role } = runtime.settings;
  const { DrainService } = await import('./health/drain.service.js');
  stop.onShutdown(() => app.close());
  stop.onShutdown(() => app.get(DrainService).drain());
  await app.init();
  // Before listen(), so that demo.json exists as soon as the service answers.
  const printBanner = runtime.embedded ? await prepareDemo(app, runtime) : null;
  await app.listen(http.port, http.host);
  printBanner?.();
  const { publicUrl, apiPrefix, docsEnabled } = http;
  const docs = docsEnabled ? `, documentation at ${publicUrl}/docs` : '';
  logger.log(`Ready: ${publicUrl}${apiPrefix} (role ${role})${docs}`, 'Main');
}

/** The packages of OpenTelemetry are loaded only where something takes the traces. @returns sends what waits */
async function traced({ settings }: Runtime, logger: JsonLogger): Promise<() => Promise<void>> {
  const { tracing, processName } = settings;
  if (!tracing.isOn) return async () => undefined;
  const { startTracing } = await import('./common/tracing/start-tracing.js');
  return startTracing({ share: tracing.share, processName }, logger);
}

/** With `ALLOW_SANDBOX` only; without it the settings are refused. */
function warnOfSandbox({ carrier, model }: Settings, logger: JsonLogger): void {
  const parts = [
    ...(isSandboxCarrier(carrier)
      ? ['carrier (no call is made and no message is sent, accounts are charged)']
      : []),
    ...(isSandboxModel(model, carrier) ? ['language model (it answers from a script)'] : []),
  ];
  if (parts.length > 0) logger.warn(`ALLOW_SANDBOX: the sandbox is the ${parts.join(' and the ')}`, 'Main');
}

/** Creates the demo accounts of a service on its private database. @returns prints how to use them */
async function prepareDemo(
  app: NestFastifyApplication,
  { settings, sandboxUrl }: Runtime,
): Promise<() => void> {
  const { startBanner, ensureDemoAccounts } = await import('./cli/demo-accounts.js');
  const { DemoAssistantService } = await import('./pages/demo-assistant.service.js');
  const { ConsoleFilesService } = await import('./pages/console-files.service.js');
  const hasConsole =
    settings.http.consoleEnabled && app.get(ConsoleFilesService, { strict: false }).isBuilt();
  const { publicUrl, apiPrefix } = settings.http;
  const demo = await ensureDemoAccounts(app, {
    dataDir: settings.dataDir,
    baseUrl: publicUrl + apiPrefix,
    docsUrl: `${publicUrl}/docs`,
    consoleUrl: hasConsole ? `${publicUrl}/console` : null,
    sandboxUrl,
    publicUrl,
  });
  const talkUrl = demo.accounts[0]?.talk_url;
  app.get(DemoAssistantService, { strict: false }).uuid = talkUrl?.split('/').at(-1) ?? null;
  return () => {
    const seconds = (Date.now() - startedAt) / 1000;
    process.stdout.write(`${startBanner(demo, { seconds })}\n`);
  };
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof SettingsError ? text : `The service could not start: ${text}`}\n`);
  process.exitCode = 1;
  // Runs the shutdown steps of the started parts.
  if (!process.emit('SIGTERM')) process.exit();
});
