import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { make } from '../factories/account-resources.js';
import { openApi, resolve, type Schema } from '../support/contract.js';
import { required } from '../support/texts.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';

/** spec/decisions.md: what clients send, and the shapes of answers, sentence by sentence. */
type Fields = Record<string, unknown>;
type Created = { data: { id: number } };

let user: TestAccount;
let assistant: number;
let campaign: number;

beforeAll(async () => {
  user = await anAccount({ plan: 'unlimited' });
  assistant = await anAssistant(user);
  campaign = await aCampaign(user, { assistant_id: assistant });
});

const tool = () => ROUTES.createTool?.body?.({} as AccountResources) ?? {};
const bodies = (): [path: string, required: Fields][] => [
  ['/user/assistant', assistantBody()],
  ['/user/tools', tool()],
  ['/user/campaigns', { name: 'Spring', assistant_id: assistant }],
  ['/user/lead', { phone_number: aNumber(), campaign_id: campaign }],
  ['/user/suppressions', { phone_number: aNumber() }],
];
const optionalOf = async (path: string, method = 'post'): Promise<string[]> => {
  const document = await openApi();
  const operation = document.paths[`/api${path}`]?.[method];
  const { $ref } = operation?.requestBody?.content['application/json']?.schema ?? {};
  const { properties = {}, required: names = [] } = resolve(String($ref), document) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.keys(properties).filter((name) => !names.includes(name));
};
/** Without what differs between two of a kind. */
const shape = async ({ client }: TestAccount, path: string, id: number): Promise<Fields> => {
  const { body } = await client.get<{ data?: Fields } & Fields>(`${path}/${id}`);
  const { id: _, uuid, created_at, updated_at, phone_number, ...rest } = body.data ?? body;
  return rest;
};
const one = (path: string) => path.replace('/user/lead', '/user/leads');

describe('empty texts and null', () => {
  it.each([
    ['an empty text', ''],
    ['null', null],
  ])('%s for an optional field is treated as absent at creation', async (_title, value) => {
    for (const [path, body] of bodies()) {
      const empty = Object.fromEntries((await optionalOf(path)).map((name) => [name, value]));
      const plain = await user.client.post<Created>(path, { ...body });
      const filled = await user.client.post<Created>(path, {
        ...body,
        ...empty,
        ...('phone_number' in body && { phone_number: aNumber() }),
      });
      expect([path, filled.text, filled.status]).toEqual([path, filled.text, plain.status]);
      if (path === '/user/suppressions') continue;
      expect(await shape(user, one(path), filled.body.data.id)).toEqual(
        await shape(user, one(path), plain.body.data.id),
      );
    }
  });

  it('an empty text for a field that creation requires is a 422, on update too', async () => {
    const ids: Record<string, number> = { '/user/assistant': assistant, '/user/campaigns': campaign };
    for (const [path, body] of bodies().slice(0, 3)) {
      const id = ids[path] ?? (await user.client.post<Created>(path, body)).body.data.id;
      for (const field of Object.keys(body)) {
        const answers = await Promise.all([
          user.client.post<Fields>(path, { ...body, [field]: '' }),
          user.client.put<Fields>(`${path}/${id}`, { [field]: '' }),
        ]);
        for (const { status, body: answer } of answers) {
          expect([field, status, answer.errors]).toEqual([field, 422, { [field]: [required(field)] }]);
        }
      }
    }
    const lead = await aLead(user, campaign);
    for (const field of ['phone_number', 'campaign_id'])
      expect((await user.client.put(`/user/leads/${lead.id}`, { [field]: '' })).status).toBe(422);
  });

  it('an empty text of an update clears what null clears, and keeps the rest', async () => {
    const id = await anAssistant(user, {
      webhook_url: 'https://example.com/calls',
      is_webhook_active: true,
      voice_mail_message: 'Hello.',
      max_call_duration: 700,
      variables: { a: 1 },
      end_call_tool: { description: 'Bye' },
    });
    const empty = {
      webhook_url: '',
      voice_mail_message: '',
      max_call_duration: '',
      variables: '',
      tool_ids: '',
      record_call: '',
      'end_call_tool.description': '',
      widget_settings: '',
    };
    expect((await user.client.put(`/user/assistant/${id}`, empty)).status).toBe(200);
    expect(await shape(user, '/user/assistant', id)).toMatchObject({
      webhook_url: null,
      is_webhook_active: false,
      voice_mail_message: null,
      max_duration: 700,
      variables: { a: 1 },
      record: false,
      end_call_tool: null,
    });
    expect((await user.client.put(`/user/assistant/${id}`, { max_call_duration: null })).status).toBe(422);
  });

  it('an empty parameter of a query is treated as absent', async () => {
    const { status, body } = await user.client.get<TestLead[]>(
      `/user/leads?status=&campaign_id=&phone_number=&date_from=&date_to=`,
    );
    expect([status, Array.isArray(body)]).toEqual([200, true]);
    for (const list of ['calls', 'sms', 'webhook-deliveries', 'assistants/get', 'suppressions'])
      expect((await user.client.get(`/user/${list}?type=&status=&phone_number=&call_id=`)).status).toBe(200);
  });
});

describe('objects and names', () => {
  it.each<[string, unknown, Fields]>([
    ['[] is {}', [], {}],
    ['a list of objects is merged from left to right', [{ a: 1, b: 1 }, { b: 2 }, {}], { a: 1, b: 2 }],
    [
      'keys of prototypes stay plain data',
      [{ constructor: 1 }, { toString: 2 }],
      { constructor: 1, toString: 2 },
    ],
  ])('where variables are required: %s', async (_title, variables, stored) => {
    const id = await anAssistant(user, { variables });
    expect(await shape(user, '/user/assistant', id)).toMatchObject({ variables: stored });
    const lead = await aLead(user, campaign, {
      variables,
      secondary_contacts: [{ phone_number: aNumber(), variables }],
    });
    expect([lead.variables, lead.secondary_contacts[0]?.variables]).toEqual([stored, stored]);
    expect((await user.client.put(`/user/leads/${lead.id}`, { variables: [{ c: 3 }] })).status).toBe(200);
    expect(await shape(user, '/user/leads', lead.id)).toMatchObject({ variables: { ...stored, c: 3 } });
  });

  it.each([[[1]], [[[]]], [[{}, 'a']]])('variables %j are a 422', async (variables) => {
    const error = { variables: ['The variables field must be an object.'] };
    const lead = await user.client.post<Fields>('/user/lead', {
      phone_number: aNumber(),
      campaign_id: campaign,
      variables,
    });
    expect([lead.status, lead.body.errors]).toEqual([422, error]);
    const parsed: unknown = JSON.parse('[{"__proto__": 1}]');
    const polluted = await user.client.post('/user/assistant', assistantBody({ variables: parsed }));
    expect(polluted.status).toBe(422);
  });

  it('names of languages and models are matched without regard to case and shown as in the catalogue', async () => {
    const id = await anAssistant(user, {
      language: 'gErMaN',
      llm_model: 'GPT-4.1-Mini',
      llm_fallback_model: 'GPT-4.1',
    });
    expect(await shape(user, '/user/assistant', id)).toMatchObject({
      language: 'German',
      language_id: 3,
      llm_model_id: 1,
      llm_fallback_model: 'gpt-4.1',
    });
  });
});

describe('shapes', () => {
  it('an id of a path is decimal, without anything else', async () => {
    const { id } = await aLead(user, campaign);
    for (const spelled of [`0x${id.toString(16)}`, `0${id}`, `${id}.0`, `${id}e0`])
      expect([spelled, (await user.client.get(`/user/leads/${spelled}`)).status]).toEqual([spelled, 404]);
  });

  it('one call and one tool are bare, without data', async () => {
    const { body: created } = await user.client.post<Created>('/user/tools', tool());
    const { body: bare } = await user.client.get<Fields>(`/user/tools/${created.data.id}`);
    expect(bare).toEqual(created.data);
    const id = await make({ account: user, ids: { assistant } } as unknown as AccountResources, 'call');
    const list = await user.client.get<{ data: Fields[] }>('/user/calls');
    expect((await user.client.get(`/user/calls/${id}`)).body).toEqual(list.body.data[0]);
  });

  it('update-status of a missing campaign returns success: false', async () => {
    const stranger = await anAccount();
    for (const campaign_id of [campaign, 2_147_483_000])
      expect(
        await stranger.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' }),
      ).toMatchObject({ status: 404, text: '{"message":"Campaign not found.","success":false}' });
  });

  it('PUT /leads/{id} is PUT /user/leads/{id}', async () => {
    const lead = await aLead(user, campaign);
    const answer = await user.client.put(`/leads/${lead.id}`, { ...lead, variables: { city: 'Lisbon' } });
    expect([answer.status, answer.body]).toEqual([200, { message: 'Lead updated successfully' }]);
    expect(await shape(user, '/user/leads', lead.id)).toMatchObject({ variables: { city: 'Lisbon' } });
  });
});
