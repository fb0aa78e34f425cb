import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { baseUrl } from '../support/client.js';

/** As `global-setup.ts` sets it. */
const TOKEN = 'operator';
const basic = (password: string): string => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
const hasRedis =
  existsSync(join(process.env.E2E_DATA_DIR ?? '', 'redis.json')) || !!process.env.E2E_REDIS_URL;

const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
  const answer = await fetch(`${baseUrl()}/admin/queues${path}`, { method, headers });
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate'),
    text: await answer.text(),
  };
};

describe('/admin/queues', () => {
  let userToken: string;

  beforeAll(async () => {
    userToken = (await anAccount()).token;
  });

  it('returns 404 when the queue is not Redis', async () => {
    if (hasRedis) return;
    expect((await ask('', { authorization: basic(TOKEN) })).status).toBe(404);
  });

  it('refuses page and API without the operator’s token', async () => {
    if (!hasRedis) return;
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${userToken}` },
      { authorization: `Digest ${TOKEN}` },
      { authorization: basic('') },
      { authorization: basic(userToken) },
    ];
    for (const headers of wrong) {
      for (const path of ['', '/api/queues', '/static/favicon.svg']) {
        const { status, text, challenge } = await ask(path, headers);
        expect([path, status, text]).toEqual([path, 401, '{"message":"Unauthenticated."}']);
        expect(challenge).toMatch(/^Basic realm=/);
      }
    }
  });

  it('shows the queues for the operator’s token, as password or as bearer token', async () => {
    if (!hasRedis) return;
    const page = await ask('', { authorization: basic(TOKEN) });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('/admin/queues/') });
    const { text } = await ask('/api/queues', { authorization: `Bearer ${TOKEN}` });
    const { queues } = JSON.parse(text) as { queues: { name: string }[] };
    expect(queues.map(({ name }) => name)).toContain('webhook-delivery');
  });

  it('refuses cross-site requests', async () => {
    if (!hasRedis) return;
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { authorization: basic(TOKEN), 'sec-fetch-site': site };
      const { status, text } = await ask('/api/queues/sms-check/pause', headers, 'PUT');
      expect([site, status, text]).toEqual([site, 403, '{"message":"Forbidden"}']);
    }
    const headers = { authorization: basic(TOKEN), 'sec-fetch-site': 'same-origin' };
    expect((await ask('/api/queues/sms-check/resume', headers, 'PUT')).status).toBe(200);
  });
});
