import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { aNumber } from '../factories/lead.js';
import { baseUrl } from '../support/client.js';
import { openApi } from '../support/contract.js';
import { database } from '../support/database.js';

/** spec/decisions.md, sections 1 to 3: what holds for every route. */
type Fields = Record<string, unknown>;

const CURSED = `cursed_${randomBytes(6).toString('hex')}`.replace(/\d/g, 'x');
const TOOL = { name: 'find', description: 'Finds.', endpoint: 'https://example.com', method: 'GET' };

let user: TestAccount;
let other: TestAccount;
let assistant: number;

beforeAll(async () => {
  [user, other] = await Promise.all([anAccount(), anAccount()]);
  assistant = await anAssistant(user);
  await database().query(
    `CREATE FUNCTION ${CURSED}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cursed'; END $$;
     CREATE TRIGGER ${CURSED} BEFORE INSERT ON tools FOR EACH ROW
     WHEN (NEW.name = '${CURSED}') EXECUTE FUNCTION ${CURSED}()`,
  );
});

afterAll(() => database().query(`DROP TRIGGER ${CURSED} ON tools; DROP FUNCTION ${CURSED}()`));

/** Not the client of the tests, which holds answers against the document: these are about all routes. */
const ask = async (path: string, { headers = {}, ...rest }: RequestInit & { headers?: object } = {}) => {
  const answer = await fetch(`${baseUrl()}/api${path}`, {
    ...rest,
    headers: { Authorization: `Bearer ${user.token}`, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? (JSON.parse(text) as Fields) : null, headers: answer.headers };
};
const json = { 'Content-Type': 'application/json' };

describe('scopes', () => {
  const OTHERS: Record<string, string[]> = {
    // Stores nothing; its text is too long for a query.
    read: ['searchKnowledgebase'],
    calls: ['makeCall', 'updateCampaignStatus', 'deleteCall', 'endCall', 'beginUserWebCall'],
    messages: [
      'sendSms',
      'enableAi',
      'disableAi',
      'generateReply',
      'generateReplyAlias',
      'sendWhatsappTemplate',
      'sendWhatsappMessage',
    ],
    admin: [
      'listApiKeys',
      'createApiKey',
      'deleteApiKey',
      'getWebhookSecret',
      'rotateWebhookSecret',
      'purchasePhoneNumber',
      'releasePhoneNumber',
      'listAuditLog',
      'exportAuditLog',
      'updateRetention',
      'updateApiKey',
      'updateSpendLimit',
      'listErasures',
      'createErasure',
      'getErasure',
      'listExports',
      'createExport',
      'getExport',
      'getExportArchive',
    ],
  };

  it('are read for GET and write for the others, except those that are listed', async () => {
    const { paths } = await openApi();
    for (const methods of Object.values(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const scope = (operation as unknown as Fields)['x-required-scope'];
        const name = String(operation.operationId);
        if (scope === undefined || /onversation|^beginWebCall$|^getWidget$/.test(name)) continue;
        const listed = Object.keys(OTHERS).find((key) => OTHERS[key]?.includes(name));
        expect([name, scope]).toEqual([name, listed ?? (method === 'get' ? 'read' : 'write')]);
      }
    }
  });
});

describe('a request', () => {
  it('with its token in the query or in the body has none', async () => {
    const token = { Authorization: '' };
    for (const path of [`/user/me?access_token=${user.token}`, `/user/me?token=${user.token}`])
      expect(await ask(path, { headers: token })).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      });
    const body = JSON.stringify({ ...TOOL, access_token: user.token });
    expect((await ask('/user/tools', { method: 'POST', body, headers: { ...token, ...json } })).status).toBe(
      401,
    );
  });

  it('with an empty body of any type counts as {}', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      undefined,
    ]) {
      const headers = { 'Content-Length': '0', ...(type && { 'Content-Type': type }) };
      const { status, body } = await ask('/user/tools', { method: 'POST', headers });
      expect([type, status, body?.message]).toEqual([type, 422, 'Validation failed']);
    }
  });

  it('that is too large is a 413, one that is not JSON a 400', async () => {
    const post = (body: string) => ask('/user/tools', { method: 'POST', body, headers: json });
    expect((await post('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    const { status, body } = await post('{');
    expect([status, body]).toEqual([400, { message: 'The request body is not valid JSON.' }]);
  });

  it('that fails unexpectedly is a 500 without details', async () => {
    const body = JSON.stringify({ ...TOOL, name: CURSED });
    const answer = await ask('/user/tools', { method: 'POST', body, headers: json });
    expect([answer.status, answer.body]).toEqual([500, { message: 'Server Error' }]);
  });

  it('of another origin gets no CORS headers', async () => {
    const { headers } = await ask('/user/me', { headers: { Origin: 'https://elsewhere.example' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('errors of fields', () => {
  it.each([
    ['/user/tools', 'Validation failed'],
    ['/user/assistant', 'Validation failed'],
    ['/user/lead', 'The given data was invalid.'],
  ])('of %s have the message "%s", also where text cannot be stored', async (path, message) => {
    for (const name of ['', '\0']) {
      const { status, body } = await user.client.post<Fields>(path, { name, campaign_id: name });
      expect([name, status, body.message]).toEqual([name, 422, message]);
    }
  });

  it('null under a name of responses does not replace a required field', async () => {
    for (const nothing of [null, '']) {
      const { llm_model: _, ...rest } = assistantBody();
      const { status, body } = await user.client.post<Fields>('/user/assistant', {
        ...rest,
        multimodal_model_id: nothing,
      });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['llm_model']]);
    }
  });

  it('empty texts in widget_settings are the defaults', async () => {
    const id = await anAssistant(user, { widget_settings: { enabled: '', allowed_origins: '' } });
    const { body } = await user.client.get<{ data: Fields }>(`/user/assistant/${id}`);
    expect(body.data.widget_settings).toMatchObject({ enabled: false, allowed_origins: [] });
  });
});

describe('lists', () => {
  it("a filter that names another user's assistant or campaign matches nothing", async () => {
    await aCall(user, assistant, { phoneNumber: '+15005550004' });
    const foreign = await anAssistant(other);
    await aCall(other, foreign, { phoneNumber: '+15005550004' });
    for (const list of ['/user/calls', '/user/conversations']) {
      for (const id of [foreign, 2_147_483_000]) {
        const { status, body } = await user.client.get<Fields>(`${list}?assistant_id=${id}`);
        expect([list, status, body]).toEqual([list, 200, expect.objectContaining({ data: [], total: 0 })]);
      }
    }
    expect((await user.client.get<Fields>('/user/calls?campaign_id=2147483000')).body.total).toBe(0);
    const csv = await fetch(`${baseUrl()}/api/user/calls/export?assistant_id=${foreign}`, {
      headers: { Authorization: `Bearer ${user.token}` },
    });
    expect((await csv.text()).trim().split('\n')).toHaveLength(1);
  });

  it('suppressions are the newest 1,000, with a page the envelope', async () => {
    await database().query(
      `INSERT INTO suppressions (account_id, phone_number, source)
       SELECT $1, '+1213555' || lpad(i::text, 4, '0'), 'api' FROM generate_series(1, 1001) i`,
      [other.id],
    );
    expect((await other.client.get<Fields[]>('/user/suppressions')).body).toHaveLength(1000);
    expect((await other.client.get<Fields>('/user/suppressions?page=1')).body.total).toBe(1001);
  });
});

describe('calls', () => {
  it('are deleted with a message', async () => {
    const id = await aCall(user, assistant, { phoneNumber: '+15005550003' });
    const { status, body } = await user.client.delete(`/user/calls/${id}`);
    expect([status, body]).toEqual([200, { message: 'Call deleted successfully' }]);
    expect((await user.client.get(`/user/calls/${id}`)).body).toEqual({ message: 'Call not found' });
  });

  it('require a number to call from', async () => {
    const poor = await anAccount();
    const id = await anAssistant(poor);
    await database().query('DELETE FROM phone_numbers WHERE account_id = $1', [poor.id]);
    const { status, body } = await poor.client.post('/user/make_call', {
      assistant_id: id,
      phone_number: aNumber(),
    });
    expect([status, body]).toEqual([422, { message: 'There is no phone number to call from.' }]);
  });

  it.each([
    [[], {}],
    [[{ a: 1 }, { b: 2, a: 3 }], { a: 3, b: 2 }],
  ])('read variables %j as %j', async (variables, stored) => {
    const { body } = await user.client.post<{ call_id: number }>('/user/make_call', {
      assistant_id: assistant,
      phone_number: aNumber(),
      variables,
    });
    const call = await user.client.get<Fields>(`/user/calls/${body.call_id}`);
    expect(call.body.input_variables ?? call.body.variables).toEqual(stored);
  });
});
