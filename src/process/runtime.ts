import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lockDataDir } from '#src/embedded/data-dir-lock.js';
import { startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { openServiceRole } from '#src/embedded/service-role.js';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { keysOrOwn } from '#src/config/key-file.js';
import { singleModelSettings } from '#src/config/env.dto.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { Settings } from '#src/config/settings.js';
import type { ShutdownSteps } from './stop-on-signal.js';

export type WriteLogLine = (message: string) => void;

export interface Runtime {
  settings: RuntimeSettings;
  sandboxUrl: string | null;
  /** True when the service started its own Postgres. */
  embedded: boolean;
}

/**
 * Starts the parts that are not configured (Postgres, Redis, carrier, model) and runs the migrations. Independent
 * parts start together. Each part adds a step to `stop`, so that a start that fails leaves no process behind.
 */
export async function startRuntime(
  settings: Settings,
  log: WriteLogLine,
  stop: ShutdownSteps,
): Promise<Runtime> {
  const isEmbedded = settings.databaseUrl === null;
  if (isEmbedded) {
    const lock = lockDataDir(settings.dataDir);
    stop.onShutdown(async () => lock.release());
  }
  const encryptionKeys = openEncryptionKeys(settings, log);
  const [database, redisUrl, sandbox] = await Promise.all([
    openDatabase(settings, log, stop),
    settings.redisUrl ?? startRedis(settings, log, stop),
    settings.carrier && settings.model ? null : startSandbox(settings, log, stop),
  ]);
  const runtime: RuntimeSettings = {
    ...settings,
    ...database,
    encryptionKeys,
    // Unique: connections to the database carry it.
    processName: `calls-${settings.role}-${randomBytes(6).toString('hex')}`,
    redisUrl,
    carrier: settings.carrier ?? required(sandbox).carrier,
    model: settings.model ?? required(sandbox).model,
  };
  return { settings: runtime, sandboxUrl: sandbox?.url ?? null, embedded: isEmbedded };
}

function openEncryptionKeys(
  { encryptionKeys, dataDir }: Settings,
  log: WriteLogLine,
): RuntimeSettings['encryptionKeys'] {
  const { keys, file, isNew } = keysOrOwn(encryptionKeys, dataDir);
  if (file !== null)
    log(
      `Encryption key: ${file}${isNew ? ' (new)' : ''}. Without it the secrets in the database are lost: back it up.`,
    );
  return keys;
}

async function openDatabase(
  settings: Settings,
  log: WriteLogLine,
  stop: ShutdownSteps,
): Promise<Pick<RuntimeSettings, 'databaseUrl' | 'instanceId'>> {
  const [databaseUrl, { migrate }] = await Promise.all([
    settings.databaseUrl ?? startPostgres(settings, log, stop),
    // Not at the top of this file, where the servers would wait for it.
    import('#src/database/migrate.js'),
  ]);
  const { instanceId } = await migrate(databaseUrl, settings.catalogueFile);
  return { databaseUrl, instanceId };
}

async function startPostgres(settings: Settings, log: WriteLogLine, stop: ShutdownSteps): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log, onGivenUp: stop.fail });
  stop.onShutdown(() => postgres.stop());
  return openServiceRole(postgres.url, settings.dataDir);
}

async function startRedis(
  settings: Settings,
  log: WriteLogLine,
  stop: ShutdownSteps,
): Promise<string | null> {
  if (settings.databaseUrl === null && settings.embeddedRedis) {
    const redis = await startEmbeddedRedis({ dataDir: settings.dataDir, log, onGivenUp: stop.fail });
    if (redis) {
      stop.onShutdown(() => redis.stop());
      log('Queue: a private Redis');
      return redis.url;
    }
  }
  log('Queue: in this process (no Redis found). Work survives restarts, but only one process may run jobs.');
  return null;
}

async function startSandbox(settings: Settings, log: WriteLogLine, stop: ShutdownSteps) {
  const { startSandbox: start } = await import('../../tooling/sandbox/sandbox.js');
  const { SANDBOX_ACCOUNT_SID: accountSid } = await import('../../tooling/sandbox/defaults.js');
  const authToken = randomBytes(16).toString('hex');
  const apiKey = randomBytes(16).toString('hex');
  const sandbox = await start({
    port: 0,
    accountSid,
    authToken,
    apiKey,
    journalFile: join(settings.dataDir, 'sandbox-journal.jsonl'),
    speed: settings.sandboxSpeed,
    publicNumberWebhook: `${settings.http.publicUrl}/telephony/incoming#rc=5&rp=all`,
    publicNumberStatusCallback: `${settings.http.publicUrl}/telephony/status`,
  });
  stop.onShutdown(() => sandbox.close());
  log(sandboxNote(settings, sandbox.url));
  return {
    url: sandbox.url,
    carrier: { accountSid, authToken, apiUrl: sandbox.url },
    model: singleModelSettings({ apiKey, baseUrl: `${sandbox.url}/v1` }),
  };
}

/** Which parts the sandbox replaces, and what that means for calls and costs. */
function sandboxNote({ carrier, model }: Settings, url: string): string {
  if (carrier) return `Model: the sandbox at ${url}. Calls are real.`;
  if (model)
    return `Carrier: the sandbox at ${url}. No real call is made; the provider of the model charges its use.`;
  return `Carrier and model: the sandbox at ${url}. No real call is made and no provider charges anything.`;
}

function required<T>(part: T | null): T {
  if (part === null) throw new Error('the sandbox was not started');
  return part;
}
