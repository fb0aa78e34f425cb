import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lockDataDir } from './database/embedded/data-dir-lock.js';
import type { RuntimeSettings } from './config/runtime-settings.js';
import type { Settings } from './config/settings.js';

export type Log = (message: string) => void;

export interface Runtime {
  settings: RuntimeSettings;
  sandboxUrl: string | null;
  /** True when the database is the service's own: a machine for trying things out. */
  embedded: boolean;
  /** Stops what was started, in the reverse order. */
  stop(): Promise<void>;
}

/** Starts what the settings leave out: Postgres, Redis, carrier and model. Parts are loaded when needed only. */
export async function startRuntime(settings: Settings, log: Log): Promise<Runtime> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    const databaseUrl = settings.databaseUrl ?? (await startPostgres(settings, log, stops));
    const redisUrl = settings.redisUrl ?? (await startRedis(settings, log, stops));
    const sandbox = settings.carrier && settings.model ? null : await startSandbox(settings, log, stops);
    const runtime: RuntimeSettings = {
      ...settings,
      databaseUrl,
      redisUrl,
      carrier: settings.carrier ?? required(sandbox).carrier,
      model: settings.model ?? required(sandbox).model,
    };
    return {
      settings: runtime,
      sandboxUrl: sandbox?.url ?? null,
      embedded: settings.databaseUrl === null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(settings: Settings, log: Log, stops: (() => Promise<void>)[]): Promise<string> {
  const lock = await lockDataDir(settings.dataDir);
  stops.push(async () => lock.release());
  const { startEmbeddedPostgres } = await import('./database/embedded/embedded-postgres.js');
  const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
  stops.push(() => postgres.stop());
  return postgres.url;
}

async function startRedis(
  settings: Settings,
  log: Log,
  stops: (() => Promise<void>)[],
): Promise<string | null> {
  if (settings.databaseUrl === null && settings.embeddedRedis) {
    const { startEmbeddedRedis } = await import('./database/embedded/embedded-redis.js');
    const redis = await startEmbeddedRedis({ dataDir: settings.dataDir, log });
    if (redis) {
      stops.push(() => redis.stop());
      log('Queue: a private Redis');
      return redis.url;
    }
  }
  log('Queue: in this process (no Redis found). Work survives restarts, but only one process may run jobs.');
  return null;
}

async function startSandbox(settings: Settings, log: Log, stops: (() => Promise<void>)[]) {
  const { startSandbox: start } = await import('./sandbox/sandbox.js');
  const { SANDBOX_ACCOUNT_SID: accountSid } = await import('./sandbox/defaults.js');
  const authToken = randomBytes(16).toString('hex');
  const apiKey = randomBytes(16).toString('hex');
  const sandbox = await start({
    port: 0,
    accountSid,
    authToken,
    apiKey,
    journalFile: join(settings.dataDir, 'sandbox-journal.jsonl'),
    speed: settings.sandboxSpeed,
    publicNumberWebhook: `${settings.http.publicUrl}/telephony/incoming`,
    publicNumberStatusCallback: `${settings.http.publicUrl}/telephony/status`,
  });
  stops.push(() => sandbox.close());
  log(
    `Carrier and model: the sandbox at ${sandbox.url}. No real call is made and nothing is charged by anybody.`,
  );
  return {
    url: sandbox.url,
    carrier: { accountSid, authToken, apiUrl: sandbox.url },
    model: { apiKey, baseUrl: `${sandbox.url}/v1` },
  };
}

function required<T>(part: T | null): T {
  if (part === null) throw new Error('the sandbox was not started');
  return part;
}
