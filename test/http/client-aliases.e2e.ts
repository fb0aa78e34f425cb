import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources } from '../factories/account-resources.js';
import { anApiKey } from '../factories/api-key.js';
import { openApi } from '../support/contract.js';
import type { AccountResources } from '../support/route.types.js';

/** Names and paths that several published clients use in place of the documented ones. */
describe('what clients send in place of documented names', () => {
  let resources: AccountResources;

  beforeAll(async () => void (resources = await anAccountWithResources()));

  const post = <T = Record<string, unknown>>(path: string, body: object) =>
    resources.account.client.post<T>(path, body);

  describe('update-status', () => {
    const update = (fields: object) =>
      post<{ message: string; errors?: object }>('/user/campaigns/update-status', {
        campaign_id: resources.ids.campaign,
        ...fields,
      });

    it('accepts `status` for `action`', async () => {
      expect((await update({ status: 'start' })).body).toMatchObject({
        message: 'Campaign started successfully.',
        data: { status: 'in-progress' },
      });
      for (const fields of [
        { status: 'stop' },
        { action: 'stop', status: 'start' },
        { action: 'stop', status: '' },
        { action: '', status: 'stop' },
        { action: null, status: 'stop' },
        { action: ' ', status: 'stop' },
      ]) {
        const { status, body } = await update(fields);
        expect([fields, status, body.message]).toEqual([fields, 200, 'Campaign stopped successfully.']);
      }
    });

    it('refuses a request without either, and wrong values', async () => {
      expect([(await update({})).status, (await update({})).body.errors]).toEqual([
        422,
        { action: ['The action field is required.'] },
      ]);
      expect((await update({ status: 'begin' })).body.errors).toEqual({
        status: ['The selected status is invalid.'],
      });
      expect((await update({ action: 'begin', status: 'start' })).status).toBe(422);
      expect((await update({ action: '', status: '' })).status).toBe(422);
    });
  });

  describe('make_call', () => {
    let number = 0;
    /** @returns the variables of the call */
    const called = async (fields: object): Promise<unknown> => {
      const phone_number = `+1415555${String(2000 + number++)}`;
      const body = { assistant_id: resources.ids.assistant, phone_number, ...fields };
      const { status, body: answer, text } = await post<{ call_id: number }>('/user/make_call', body);
      if (status !== 200) throw new Error(text);
      const path = `/user/calls/${answer.call_id}`;
      const call = await resources.account.client.get<{ variables: unknown }>(path);
      return call.body.variables;
    };

    it('accepts `variable` and `input_variables` for `variables`', async () => {
      const name = { name: 'Ada' };
      expect(await called({ variable: name })).toEqual(name);
      expect(await called({ input_variables: name })).toEqual(name);
      expect(await called({ input_variables: [name, { age: 5 }], variables: '' })).toEqual({
        ...name,
        age: 5,
      });
      expect(await called({ variables: '', variable: null, input_variables: name })).toEqual(name);
      expect(
        await called({
          variables: name,
          variable: { name: 'Bob', city: 'Ulm' },
          input_variables: { name: 'Cy', city: 'Rom', zip: '1' },
        }),
      ).toEqual({ name: 'Ada', city: 'Ulm', zip: '1' });
    });

    it('refuses those that are not objects', async () => {
      for (const field of ['variables', 'variable', 'input_variables']) {
        const body = { assistant_id: resources.ids.assistant, phone_number: '+14155552999', [field]: 'x' };
        const { status, body: answer } = await post<{ errors: object }>('/user/make_call', body);
        expect([field, status, Object.keys(answer.errors)]).toEqual([field, 422, [field]]);
      }
    });
  });

  it('accepts POST /user/leads for POST /user/lead', async () => {
    const lead = { phone_number: '+14155553001', campaign_id: resources.ids.campaign };
    const { status, body } = await post<{ message: string; data: { id: number } }>('/user/leads', lead);
    expect([status, body.message]).toEqual([200, 'Lead created successfully']);
    expect((await resources.account.client.get(`/user/leads/${body.data.id}`)).status).toBe(200);
    const again = await post<{ errors: object }>('/user/leads', lead);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['phone_number']]);
    const { client } = await anApiKey(resources.account, { scopes: ['read'] });
    expect((await client.post('/user/leads', lead)).status).toBe(403);
  });

  it.each([
    'voices?mode=pipeline&language_id=1',
    'languages',
    'models?type=multimodal',
    'phone-numbers?type=inbound',
    'synthesizer-providers',
    'transcriber-providers',
    'get?per_page=1',
    'outbound',
  ])('lists /user/assistant/%s as under /user/assistants', async (list) => {
    const { client } = resources.account;
    const [plural, singular] = [
      await client.get(`/user/assistants/${list}`),
      await client.get(`/user/assistant/${list}`),
    ];
    const text = singular.text.replaceAll('/user/assistant/', '/user/assistants/');
    expect([singular.status, text]).toEqual([200, plural.text]);
  });

  it('keeps the paths of one assistant', async () => {
    const { client } = resources.account;
    expect((await client.get(`/user/assistant/${resources.ids.assistant}`)).status).toBe(200);
    expect((await client.get('/user/assistant/none')).status).toBe(404);
  });

  it('documents each alias as an operation of its own', async () => {
    const { paths } = await openApi();
    for (const [path, method, operationId, summary] of [
      ['/api/user/assistant/voices', 'get', 'listVoicesAlias', 'The same as GET /user/assistants/voices'],
      ['/api/user/leads', 'post', 'createLeadAlias', 'The same as POST /user/lead'],
      ['/api/ai/generate-reply', 'post', 'generateReplyAlias', 'The same as POST /user/ai/generate-reply'],
    ] as const) {
      expect(paths[path]?.[method]).toMatchObject({ operationId, summary });
    }
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
