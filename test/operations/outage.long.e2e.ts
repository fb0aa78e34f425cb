import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FixedPortProxy } from '../../tooling/faults/support/fixed-port-proxy.js';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import type { Answer } from '../support/client.js';
import { OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const CUTS = 25;
const UNAVAILABLE = [503, { message: 'Service temporarily unavailable' }, true];
const TOOL = { name: 'look_up', description: 'b', endpoint: 'https://example.com', method: 'GET' };

const shown = ({ status, body, headers }: Answer<unknown>): unknown[] => [
  status,
  body,
  Number(headers.get('retry-after')) > 0,
];

describe('an unavailable or slow database', () => {
  const proxy = new FixedPortProxy();
  let own: OwnService;
  let user: TestAccount;
  let assistantId: number;
  const health = async (): Promise<number> => (await fetch(`${own.service.url}/health/ready`)).status;

  beforeAll(async () => {
    own = await OwnService.start((url) => proxy.start(url));
    user = await own.account();
    assistantId = await anAssistant(user);
  });

  afterAll(async () => {
    await own.stop();
    await proxy.close();
  });

  it('responds with 503 and Retry-After during an outage, and logs one line at its start and one at its end', async () => {
    const { client } = user;
    const before = own.service.output().length;
    proxy.setTarget(null);
    for (let turn = 0; turn < 3; turn++) {
      const answers = await Promise.all([
        client.get('/user/me'),
        client.get('/user/leads'),
        client.get('/user/calls'),
        client.post('/user/tools', TOOL),
        client.post('/user/tools', TOOL, { 'Idempotency-Key': `outage-${turn}` }),
        client.post('/user/assistant', { name: 'Ada' }),
        client.put(`/user/assistant/${assistantId}`, { assistant_name: 'Ada' }),
        client.delete('/user/campaigns/1'),
      ]);
      expect(answers.map(shown)).toEqual(answers.map(() => UNAVAILABLE));
      // The relay looks for events every second, the reconciler for rows every two.
      await sleep(1_200);
    }
    expect(await health()).toBe(503);
    expect((await fetch(`${own.service.url}/health/live`)).status).toBe(200);

    proxy.setTarget(own.url);
    await until(async () => own.service.output().slice(before).includes('responds again'));
    await until(async () => (await client.get('/user/me')).status === 200);
    expect(await health()).toBe(200);
    expect((await client.post('/user/tools', TOOL)).status).toBe(201);
    expect(own.notable(before)).toEqual([
      expect.stringMatching(/^The database does not respond/),
      expect.stringMatching(/^The database responds again/),
    ]);
  });

  it('responds with 503 after the time limit for a lock, also for a change of an assistant', async () => {
    const account = await own.holding('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [user.id]);
    const assistant = await own.holding('SELECT 1 FROM assistants WHERE id = $1 FOR UPDATE', [assistantId]);
    try {
      const answers = await Promise.all([
        user.client.post('/user/tools', TOOL),
        user.client.put(`/user/assistant/${assistantId}`, { assistant_name: 'Grace' }),
      ]);
      expect(answers.map(shown)).toEqual([UNAVAILABLE, UNAVAILABLE]);
    } finally {
      await Promise.all([account.release(), assistant.release()]);
    }
    expect((await user.client.post('/user/tools', TOOL)).status).toBe(201);
  });

  it('responds with 503 for a statement that the database cancels', async () => {
    const account = await own.holding('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [user.id]);
    try {
      const answer = user.client.post('/user/tools', TOOL);
      await until(async () => (await own.waitingForLocks()) > 0);
      await own.db.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(shown(await answer)).toEqual(UNAVAILABLE);
    } finally {
      await account.release();
    }
  });

  it('is ready while all connections of the pool are in use', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => own.account()));
    const accounts = await own.holding('SELECT 1 FROM accounts WHERE id = ANY($1) FOR UPDATE', [
      users.map(({ id }) => id),
    ]);
    const asked = users.flatMap(({ client }) =>
      Array.from({ length: 6 }, () => client.post('/user/tools', TOOL)),
    );
    try {
      await until(async () => (await own.waitingForLocks()) >= 16);
      expect(await health()).toBe(200);
    } finally {
      await accounts.release();
    }
    await Promise.all(asked);
  });

  it('keeps the process working when it closes its connections during requests', async () => {
    const { service, db } = own;
    const answers: number[] = [];
    let working = true;
    const work = async (path: string, body?: object): Promise<void> => {
      const headers = { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' };
      while (working) {
        const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
        const answer = await fetch(`${service.url}/api/user/${path}`, request);
        await answer.text().catch(() => '');
        answers.push(answer.status);
      }
    };
    const workers = [
      work('leads'),
      work('calls'),
      work('me'),
      work('suppressions', { phone_number: '+15005550024' }),
      work('tools', TOOL),
    ].map((worker) => worker.catch(() => undefined));
    for (let cut = 0; cut < CUTS; cut++) {
      const seen = answers.length;
      await until(async () => answers.length > seen || service.process.exitCode !== null);
      await db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
    working = false;
    await Promise.all(workers);
    expect(service.process.exitCode).toBeNull();
    await until(async () => (await health()) === 200);
  });
});
