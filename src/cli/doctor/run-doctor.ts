import { SettingsError } from '#src/config/env-reader.js';
import { loadSettings } from '#src/config/settings.js';
import { type Settings } from '#src/config/settings.types.js';
import { checkCarrier, checkModel } from './check-providers.js';
import { checkDataDir, checkDatabase, checkRedis } from './check-storage.js';
import { checkPort, checkPublicUrl, isServiceAt } from './check-address.js';
import { examine, fail, ok, type Finding, type Verdict } from './finding.js';

/** Looks at everything that the service needs. Wrong settings hide the rest: nothing else could be believed. */
export async function runDoctor(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = loadSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) => ({
      name: 'settings',
      ...fail(problem, 'correct it and look again'),
    }));
  }
  // Where the service listens, whatever address the world knows it by.
  const localUrl = loadSettings({ ...env, PUBLIC_URL: '' }).http.publicUrl;
  const isRunning = await isServiceAt(localUrl);
  const dataDir = await examine('data directory', () => checkDataDir(settings.dataDir));
  const inDataDir = (check: () => Promise<Verdict>) => async (): Promise<Verdict> =>
    dataDir.state === 'fail' && settings.databaseUrl === null
      ? fail('lives in the data directory', 'see there, or set DATABASE_URL and REDIS_URL')
      : check();
  return Promise.all([
    examine('settings', async () => ok(`usable${settings.production ? ', for production' : ''}`)),
    dataDir,
    examine('port', () => checkPort(settings.http, isRunning)),
    examine(
      'database',
      inDataDir(() => checkDatabase(settings)),
    ),
    examine(
      'redis',
      inDataDir(() => checkRedis(settings, isRunning)),
    ),
    examine('carrier', () => checkCarrier(settings)),
    examine('model', () => checkModel(settings)),
    examine('public URL', () => checkPublicUrl(settings, isRunning)),
  ]);
}
