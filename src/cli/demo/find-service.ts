import { loadSettings } from '#src/config/settings.js';
import { isServiceAt } from '../doctor/is-service-at.js';
import { readDemoFile } from '../demo-file.js';
import { DemoFailed } from './demo-failed.js';
import type { DemoService } from './demo-service.js';
import { OWN_SETTINGS, spawnService } from './spawn-service.js';

/** The service that the environment names, else the one that runs on this data directory, else one of our own. */
export async function findService(env: NodeJS.ProcessEnv): Promise<DemoService> {
  if (env.DEMO_BASE_URL) return named(env.DEMO_BASE_URL, env.DEMO_TOKEN);
  const ownEnv = { ...env, ...OWN_SETTINGS };
  const { dataDir } = loadSettings(ownEnv);
  const demo = readDemoFile(dataDir);
  if (demo?.accounts[0] && (await isServiceAt(new URL(demo.base_url).origin))) {
    const { token } = demo.accounts[0];
    if (await opens(demo.base_url, token)) {
      return { baseUrl: demo.base_url, token, origin: 'the running service', stop: nothing };
    }
  }
  return spawnService(dataDir, ownEnv);
}

async function named(url: string, token: string | undefined): Promise<DemoService> {
  if (!token)
    throw new DemoFailed('DEMO_BASE_URL needs DEMO_TOKEN: npm run cli -- tokens create --email <address>');
  const baseUrl = url.replace(/\/+$/, '');
  if (!(await opens(baseUrl, token))) {
    throw new DemoFailed(
      `${baseUrl}/user/me does not let us in: correct DEMO_BASE_URL (with /api) and DEMO_TOKEN.`,
    );
  }
  return { baseUrl, token, origin: 'DEMO_BASE_URL', stop: nothing };
}

async function opens(baseUrl: string, token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  return fetch(`${baseUrl}/user/me`, { headers, signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

const nothing = async (): Promise<void> => undefined;
