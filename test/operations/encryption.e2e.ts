import { beforeAll, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { secretOf } from '../factories/webhook.js';
import { runBuilt } from '../support/command.js';
import { baseUrl } from '../support/client.js';
import { database, everyRow } from '../support/database.js';

const HEADERS = [
  { name: 'X-Crm-Key', value: 'open sesame of the CRM' },
  { name: 'X-Erp-Key', value: 'open sesame of the ERP', secret: true },
];
const TOOL = {
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'POST',
  headers: HEADERS,
};

describe('secrets in the database', () => {
  let mine: TestAccount;
  let toolId: number;

  beforeAll(async () => {
    mine = await anAccount();
    const { body } = await mine.client.post<{ data: { id: number } }>('/user/tools', TOOL, {
      'Idempotency-Key': 'a-tool-with-headers',
    });
    toolId = body.data.id;
  });

  it('stand in no table in a form that a reader of the database can use', async () => {
    const webhookSecret = await secretOf(mine);
    await mine.client.post('/user/webhook-secret/rotate', {}, { 'Idempotency-Key': 'rotation' });
    const rotated = await secretOf(mine);
    const assistant_id = await anAssistant(mine);
    const { body: call } = await mine.client.post<{ token: string }>('/user/web-calls', { assistant_id });
    const text = await everyRow();
    const secrets = [...HEADERS.map(({ value }) => value), webhookSecret, rotated, mine.token, call.token];
    const forms = secrets.flatMap((secret) => [
      secret,
      secret.replace('whsec_', ''),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('hex'),
    ]);
    expect(text).toContain(mine.email);
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
  });

  it('name the key that encrypts them, which stands there encrypted too', async () => {
    const { rows } = await database().query<{ sealed: string; key: string; wrapped_by: string }>(
      `SELECT headers AS sealed, data_keys.id::text AS key, wrapped_by FROM tools
         JOIN data_keys ON data_keys.account_id = tools.account_id AND retired_at IS NULL WHERE tools.id = $1`,
      [toolId],
    );
    expect(rows[0]?.sealed.split('.').slice(0, 2)).toEqual(['v1', rows[0]?.key]);
    const { rows: keys } = await database().query<{ secret: string }>('SELECT secret FROM recording_keys');
    expect(keys.filter(({ secret }) => !secret.startsWith('v1.'))).toEqual([]);
  });

  it('cannot be moved to another row, account or column', async () => {
    const other = await anAccount();
    const { body: second } = await mine.client.post<{ data: { id: number } }>('/user/tools', TOOL);
    const { body: foreign } = await other.client.post<{ data: { id: number } }>('/user/tools', TOOL);
    for (const [id, { client, token }] of [
      [second.data.id, mine],
      [foreign.data.id, other],
    ] as const) {
      await database().query(
        'UPDATE tools SET headers = (SELECT headers FROM tools WHERE id = $2) WHERE id = $1',
        [id, toolId],
      );
      // By `fetch`: the document promises no 500, which this is.
      const moved = await fetch(`${baseUrl()}/api/user/tools/${id}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect([moved.status, await moved.json()]).toEqual([500, { message: 'Server Error' }]);
      expect((await client.delete(`/user/tools/${id}`)).status).toBe(200);
    }
    expect((await mine.client.get(`/user/tools/${toolId}`)).status).toBe(200);
  });

  it('are encrypted with a key that only the owner of the data directory reads', async () => {
    const dataDir = process.env.E2E_DATA_DIR;
    // Another service under test has its keys elsewhere.
    if (!dataDir) return;
    expect(statSync(join(dataDir, 'encryption-keys')).mode & 0o777).toBe(0o600);
  });

  it('are checked by doctor', async () => {
    const { output } = await runBuilt('main.js', ['doctor', '--json']);
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string; what: string }[] };
    const check = checks.find(({ name }) => name === 'encryption');
    expect(check?.what).toMatch(/decrypts \d+ data keys?/);
    // Other tests may store a secret as an earlier version did, of which it warns.
    expect(check?.state).not.toBe('fail');
  });
});
