import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#src/embedded/free-port.js';
import { run } from '../support/command.js';
import { startService, type ServiceProcess } from '../support/service.js';
import { until } from '../support/until.js';

interface Demo {
  base_url: string;
  accounts: { token: string; campaign_id: number }[];
}

const POLL_MS = 5;

/** A service with a private Postgres and, where there is one, a private Redis; its servers are killed. */
describe('a service with embedded servers', () => {
  let dataDir: string;
  let env: Record<string, string>;
  let service: ServiceProcess;
  /** What stood in the data directory when the service first said that it is ready. */
  let demoWhenReady: boolean;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'calls-embedded-'));
    // As root the database runs as another user, who must get in.
    chmodSync(dataDir, 0o755);
    env = { DATA_DIR: dataDir, PORT: String(await freePort()), SANDBOX_SPEED: '80' };
    let isStarting = true;
    const starting = startService(env).finally(() => (isStarting = false));
    await Promise.race([whenReady(() => isStarting), starting]);
    demoWhenReady = existsSync(join(dataDir, 'demo.json'));
    service = await starting;
  });

  afterAll(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  afterEach(() => {
    expect(service.process.exitCode).toBeNull();
  });

  /** Ends when the service answers that it is ready, or is not starting any more. */
  async function whenReady(isStarting: () => boolean): Promise<void> {
    const url = `http://127.0.0.1:${env.PORT}/health/ready`;
    while (isStarting()) {
      const answer = await fetch(url).catch(() => null);
      if (answer?.ok) return;
      await sleep(POLL_MS);
    }
  }

  const demo = (): Demo => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo;

  const pidOf = (name: 'postgres' | 'redis'): number | null => {
    const file = join(dataDir, `${name}.json`);
    if (!existsSync(file)) return null;
    return (JSON.parse(readFileSync(file, 'utf8')) as { server: { pid: number } }).server.pid;
  };

  async function ask(path: string, body?: object): Promise<Response> {
    const { base_url, accounts } = demo();
    return fetch(`${base_url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${accounts[0]?.token ?? ''}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  const statusOf = async (path: string): Promise<number> => (await ask(path)).status;

  it('writes the file with the tokens before it is ready', () => {
    expect(demoWhenReady).toBe(true);
  });

  it('restarts a killed Postgres, and responds as before', async () => {
    const pid = pidOf('postgres') ?? 0;
    expect(await statusOf('/user/me')).toBe(200);
    process.kill(pid, 'SIGKILL');
    await until(async () => (pidOf('postgres') !== pid && (await statusOf('/user/me')) === 200) || null);
    expect(await statusOf('/user/leads')).toBe(200);
    await until(async () =>
      service.output().includes('the private postgres ended by itself and is started again'),
    );
  });

  it('restarts a killed Redis, and runs jobs', async () => {
    const pid = pidOf('redis');
    if (pid === null) return;
    process.kill(pid, 'SIGKILL');
    await until(async () => pidOf('redis') !== pid || null);
    expect(await statusOf('/user/me')).toBe(200);
    const campaignId = demo().accounts[0]?.campaign_id;
    await ask('/user/lead', { campaign_id: campaignId, phone_number: '+15005550003' });
    await ask('/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' });
    await until(async () => {
      const { data } = (await (await ask('/user/calls')).json()) as { data: { status: string }[] };
      return data.some(({ status }) => status === 'busy');
    });
    await until(async () => service.output().includes('the private redis is back'));
  });

  it('takes over the servers of a killed service', async () => {
    const left = pidOf('postgres');
    await service.kill();
    service = await startService(env);
    expect(pidOf('postgres')).not.toBe(left);
    expect(await statusOf('/user/me')).toBe(200);
  });
});

describe('npm run openapi', () => {
  it('prints the document on a machine that has no database yet', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-openapi-'));
    chmodSync(dataDir, 0o755);
    const { PATH, HOME } = process.env;
    const { code, output } = await run('dist/src/cli/openapi.js', [], { PATH, HOME, DATA_DIR: dataDir });
    rmSync(dataDir, { recursive: true, force: true });
    expect(code).toBe(0);
    expect(Object.keys((JSON.parse(output) as { paths: object }).paths)).toContain('/api/user/lead');
  });
});
