import { SettingsError } from '#src/config/env-fields.js';
import { loadSettings, type Settings } from '#src/config/settings.js';
import { withDatabase } from '../operator/database.js';
import { checkDataDir, checkDatabase, checkRedis } from './check-storage.js';
import { checkEncryption } from './check-encryption.js';
import { checkModels } from './check-models.js';
import { checkRealtime } from './check-realtime.js';
import { checkRetirements } from './check-retirements.js';
import { checkSpeech } from './check-speech.js';
import { checkTurnModel } from './check-turn-model.js';
import { checkEmbeddings } from './check-embeddings.js';
import { checkRecordings } from './check-recordings.js';
import {
  checkCarrier,
  checkModel,
  checkPort,
  checkProxies,
  checkPublicUrl,
  isServiceAt,
} from './check-network.js';
import { runCheck, fail, ok, type Finding, type CheckResult } from './finding.js';

/** Checks all that the service needs. With invalid settings only these are reported: other checks depend on them. */
export async function runDoctor(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = loadSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) => ({
      name: 'settings',
      ...fail(problem, 'correct it and run doctor again'),
    }));
  }
  // Without PUBLIC_URL the public URL is the address at which the service listens.
  const localUrl = loadSettings({ ...env, PUBLIC_URL: '' }).http.publicUrl;
  const isRunning = await isServiceAt(localUrl);
  const dataDir = await runCheck('data directory', () => checkDataDir(settings.dataDir));
  const inDataDir = (check: () => Promise<CheckResult>) => async (): Promise<CheckResult> =>
    dataDir.state === 'fail' && settings.databaseUrl === null
      ? fail('lives in the data directory', 'see data directory, or set DATABASE_URL and REDIS_URL')
      : check();
  const checks = [
    runCheck('settings', async () => ok(`usable${settings.production ? ', for production' : ''}`)),
    dataDir,
    runCheck('port', () => checkPort(settings.http, isRunning)),
    runCheck(
      'database',
      inDataDir(() => checkDatabase(settings)),
    ),
    runCheck(
      'redis',
      inDataDir(() => checkRedis(settings, isRunning)),
    ),
    runCheck('recordings', () => checkRecordings(settings.recordings)),
    runCheck('carrier', () => checkCarrier(settings)),
    runCheck('model', () => checkModel(settings)),
    runCheck('public URL', () => checkPublicUrl(settings, isRunning)),
    runCheck('proxies', () => checkProxies(settings)),
  ];
  const found = await Promise.all(checks);
  // After the check of the database, which starts a private one as well.
  const isDatabaseUsable = found.every(({ name, state }) => name !== 'database' || state === 'ok');
  const ofCatalogue = isDatabaseUsable
    ? await withDatabase(settings, async ({ url }) => [
        await runCheck('encryption', () => checkEncryption(settings, url)),
        ...(await checkCatalogue({ ...settings, databaseUrl: url })),
      ])
    : await checkModelsOf({ ...settings, databaseUrl: null });
  const ofParts = [
    ...(await checkEmbeddings(settings.embeddings)),
    ...(await checkTurnModel(settings.speech)),
  ];
  return [...found, ...ofCatalogue, ...ofParts];
}

/** @param settings with the URL of the database, also where it is a private one */
async function checkCatalogue(settings: Settings): Promise<Finding[]> {
  const models = await checkModelsOf(settings);
  return [...models, ...(await checkSpeech(settings)), ...(await checkRetirements(settings))];
}

/** Those of the release where there is no database. */
async function checkModelsOf(settings: Settings): Promise<Finding[]> {
  return (await Promise.all([checkModels(settings), checkRealtime(settings)])).flat();
}
