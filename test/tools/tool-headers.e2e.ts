import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import type { Answer } from '../support/client.js';
import { Receiver } from '../support/receiver.js';

interface Tool {
  id: number;
  headers: object[];
}
type One = { message: string; data: Tool };

const body = {
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'POST',
};

let mine: TestAccount;

beforeAll(async () => {
  mine = await anAccount();
});

const create = (account: TestAccount, more = {}): Promise<Answer<One>> =>
  account.client.post<One>('/user/tools', { ...body, ...more });

describe('header values of tools', () => {
  const SECRET = [
    { name: 'X-Crm-Key', value: 'secret of the CRM' },
    { name: 'Accept', value: 'text/plain' },
  ];
  const MASKED = SECRET.map(({ name }) => ({ name, value: '••••••' }));
  const stored = async (id: number) => (await mine.client.get<Tool>(`/user/tools/${id}`)).body.headers;

  it('are shown to tokens with write, masked for others', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const assistant = await anAssistant(mine, { tool_ids: [data.id] });
    const inLists = async (client: typeof mine.client) => {
      const paths = [
        '/user/assistants',
        '/user/assistants/get?per_page=5',
        '/user/assistants/get?per_page=50',
      ];
      const texts = await Promise.all(paths.map(async (path) => (await client.get(path)).text));
      const { body: one } = await client.get<{ data: { tools: Tool[] } }>(`/user/assistant/${assistant}`);
      const { body: all } = await client.get<Tool[]>('/user/tools');
      const { body: tool } = await client.get<Tool>(`/user/tools/${data.id}`);
      const shown = [one.data.tools[0], all.find(({ id }) => id === data.id), tool].map(
        (found) => found?.headers,
      );
      return { shown, inTexts: texts.map((text) => text.includes('secret of the CRM')) };
    };
    expect(await inLists(mine.client)).toEqual({
      shown: [SECRET, SECRET, SECRET],
      inTexts: [true, true, true],
    });
    for (const scopes of [['read'], ['read', 'calls', 'messages']]) {
      const { client } = await anApiKey(mine, { scopes });
      expect(await inLists(client)).toEqual({
        shown: [MASKED, MASKED, MASKED],
        inTexts: [false, false, false],
      });
    }
    const { client } = await anApiKey(mine, { scopes: ['write'] });
    expect((await client.put<One>(`/user/tools/${data.id}`, { timeout: 3 })).body.data.headers).toEqual(
      SECRET,
    );
  });

  it('are kept where the mask is written back, each for its name', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
    expect((await put({ headers: MASKED })).body.data.headers).toEqual(SECRET);
    const changed = [{ name: 'accept', value: '••••••' }, { name: 'X-New', value: 'new' }, MASKED[0]];
    expect((await put({ headers: changed })).body.data.headers).toEqual([
      { name: 'accept', value: 'text/plain' },
      { name: 'X-New', value: 'new' },
      SECRET[0],
    ]);
    expect((await put({ headers: SECRET, name: 'renamed' })).body.data).toMatchObject({ headers: SECRET });
  });

  it('are no masks of what is not known', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const refused = { message: 'Validation failed' };
    for (const answer of [
      await create(mine, { headers: MASKED }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [...MASKED, MASKED[0]] }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [{ name: 'X-Other', value: '••••••' }] }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [{ name: 'Accept', value: 'a••••••' }] }),
    ])
      expect([answer.status, answer.body]).toMatchObject([422, refused]);
    expect(await stored(data.id)).toEqual(SECRET);
  });

  it('follow the endpoint to another host only where they are given', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
    for (const endpoint of [
      'https://evil.example/orders',
      'http://example.com/orders',
      'https://example.com:8443/',
    ]) {
      const { status, body: answer } = await put({ endpoint, headers: MASKED });
      expect([endpoint, status, answer]).toEqual([
        endpoint,
        422,
        {
          message: 'Validation failed',
          errors: {
            headers: ['The headers field must have their values where the host of the endpoint changes.'],
          },
        },
      ]);
    }
    expect((await put({ endpoint: 'https://example.com/other', headers: MASKED })).body.data.headers).toEqual(
      SECRET,
    );
    expect((await put({ endpoint: 'https://example.org/', headers: SECRET })).status).toBe(200);
  });

  describe('that are secret', () => {
    const HIDDEN = [
      { name: 'X-Crm-Key', value: 'nobody reads this', secret: true },
      { name: 'Accept', value: 'text/plain' },
    ];
    const SHOWN = [{ name: 'X-Crm-Key', value: '••••••', secret: true }, HIDDEN[1]];

    it('are shown to nobody, and sent to the endpoint', async () => {
      const receiver = await Receiver.open();
      try {
        const created = await create(mine, { headers: HIDDEN, endpoint: receiver.url, method: 'GET' });
        expect(created.body.data.headers).toEqual(SHOWN);
        const { id } = created.body.data;
        const assistant = await anAssistant(mine, { tool_ids: [id] });
        const answers = [
          created,
          await mine.client.get(`/user/tools/${id}`),
          await mine.client.get('/user/tools'),
          await mine.client.get(`/user/assistant/${assistant}`),
          await mine.client.get('/user/assistants'),
          await mine.client.put(`/user/tools/${id}`, { timeout: 4 }),
          await mine.client.post(`/user/tools/${id}/test`),
        ];
        expect(receiver.received.at(-1)?.headers['x-crm-key']).toBe('nobody reads this');
        expect(answers.filter(({ status, text }) => status >= 300 || text.includes('nobody reads'))).toEqual(
          [],
        );
      } finally {
        await receiver.close();
      }
    });

    it('are kept, and stay secret, where the mask is written back', async () => {
      const { data } = (await create(mine, { headers: HIDDEN })).body;
      const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
      expect((await put({ headers: SHOWN })).body.data.headers).toEqual(SHOWN);
      const revealing = [{ name: 'x-crm-key', value: '••••••', secret: false }];
      expect((await put({ headers: revealing })).body.data.headers).toEqual([
        { ...SHOWN[0], name: 'x-crm-key' },
      ]);
      const anew = [{ name: 'x-crm-key', value: 'another' }];
      expect((await put({ headers: anew })).body.data.headers).toEqual(anew);
      const hidden = [{ name: 'x-crm-key', value: '••••••', secret: true }];
      expect((await put({ headers: hidden })).body.data.headers).toEqual(hidden);
    });

    it('do not follow the endpoint to another host', async () => {
      const { data } = (await create(mine, { headers: HIDDEN })).body;
      const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
      expect((await put({ endpoint: 'https://evil.example/orders' })).status).toBe(422);
      expect((await put({ endpoint: 'https://evil.example/orders', headers: SHOWN })).status).toBe(422);
      expect((await put({ endpoint: 'https://evil.example/orders', headers: [] })).status).toBe(200);
    });
  });

  it('are not kept for a repeated request, whose answer has the mask', async () => {
    const key = { 'Idempotency-Key': 'a-tool-with-headers' };
    const post = () => mine.client.post<One>('/user/tools', { ...body, headers: SECRET }, key);
    expect((await post()).body.data.headers).toEqual(SECRET);
    expect((await post()).body.data.headers).toEqual(MASKED);
  });
});
