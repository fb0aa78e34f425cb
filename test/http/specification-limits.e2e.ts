import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { database } from '../support/database.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';
import { DELIVERED } from '../support/sms.js';
import { outside, selected, tooLong, tooShort, type Text } from '../support/texts.js';

/** Every row of the table of section 8: the bounds themselves, and one step past each. */
type Fields = Record<string, unknown>;
interface Limit {
  row: string;
  fields: string[];
  accepted: unknown[];
  refused: [value: unknown, text: Text][];
}

const chars = (count: number): string => 'x'.repeat(count);
const length = (row: string, field: string, max: number, min = 0): Limit => ({
  row,
  fields: [field],
  accepted: min > 0 ? [chars(min), chars(max)] : [chars(max)],
  refused: [
    [chars(max + 1), tooLong(max)],
    ...(min > 0 ? ([[chars(min - 1), tooShort(min)]] as const) : []),
  ] as Limit['refused'],
});
const range = (row: string, fields: string[], min: number, max: number, step: number): Limit => ({
  row,
  fields,
  accepted: [min, max],
  refused: [min - step, max + step].map((value) => [value, outside(min, max)]),
});
/** A name out of a list: at the limit it is no name of the list, past it it is too long. */
const listed = (field: string): Limit => ({
  row: `${field} max 100 chars`,
  fields: [field],
  accepted: [],
  refused: [
    [chars(100), selected],
    [chars(101), tooLong(100)],
  ],
});

const TOOL_LIMITS: Limit[] = [
  length('tool description max 255 chars', 'description', 255),
  range('tool timeout 1-30 seconds', ['timeout'], 1, 30, 1),
];
const PARAMETER_LIMITS: Limit[] = [
  length('tool schema parameter name 2-32 chars', 'name', 32, 2),
  length('tool schema parameter description 3-255 chars', 'description', 255, 3),
];
const ASSISTANT_LIMITS: Limit[] = [
  length('assistant_name max 255 chars', 'assistant_name', 255),
  listed('language'),
  listed('llm_model'),
  length('end_call_tool.description max 500 chars', 'end_call_tool.description', 500),
  range(
    'endpoint_sensitivity, interrupt_sensitivity 0-5',
    ['endpoint_sensitivity', 'interrupt_sensitivity'],
    0,
    5,
    0.01,
  ),
  range(
    'ambient_sound_volume, llm_temperature, voice_stability, voice_similarity 0-1',
    ['ambient_sound_volume', 'llm_temperature', 'voice_stability', 'voice_similarity'],
    0,
    1,
    0.01,
  ),
  range('speech_speed 0.7-1.2', ['speech_speed'], 0.7, 1.2, 0.01),
  range('min_interrupt_words 0-10', ['min_interrupt_words'], 0, 10, 1),
  range('re_engagement_interval 7-600 seconds', ['re_engagement_interval'], 7, 600, 1),
  range('max_call_duration 20-1200 seconds', ['max_call_duration'], 20, 1200, 1),
  range('max_silence_duration 1-120 seconds', ['max_silence_duration'], 1, 120, 1),
];
const PAGE_SIZES: [row: string, path: string, size: number][] = [
  ['page size for assistants 1-100, default 10', '/user/assistants/get', 10],
  ['page size for calls 1-100, default 15', '/user/calls', 15],
];

describe('8', () => {
  const TOOL = ROUTES.createTool?.body?.({} as AccountResources);
  const PARAMETER = { name: 'order_number', type: 'string', description: 'The number of the order' };
  let user: TestAccount;
  let assistant: number;
  let tool: number;

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
    assistant = await anAssistant(user);
    tool = (await user.client.post<{ data: { id: number } }>('/user/tools', TOOL)).body.data.id;
  });

  /** At creation and at an update alike. */
  const both = async (paths: [create: string, update: string], whole: Fields, fields: Fields) => {
    const created = await user.client.post(paths[0], { ...whole, ...fields });
    const updated = await user.client.put(paths[1], fields);
    return [
      [created.status, created.body],
      [updated.status, updated.body],
    ];
  };
  const ofTool = (fields: Fields) => both(['/user/tools', `/user/tools/${tool}`], TOOL ?? {}, fields);
  const ofAssistant = (fields: Fields) =>
    both(['/user/assistant', `/user/assistant/${assistant}`], assistantBody(), fields);

  const check = async (
    { fields, accepted, refused }: Limit,
    send: (fields: Fields) => Promise<unknown>,
    bodyOf: (field: string, value: unknown) => Fields = (field, value) => ({ [field]: value }),
    keyOf: (field: string) => string = (field) => field,
  ) => {
    for (const field of fields) {
      for (const value of accepted) {
        expect([value, await send(bodyOf(field, value))]).toEqual([
          value,
          [
            [201, expect.anything()],
            [200, expect.anything()],
          ],
        ]);
      }
      for (const [value, text] of refused) {
        const error = [422, { message: 'Validation failed', errors: { [keyOf(field)]: [text(field)] } }];
        expect([value, await send(bodyOf(field, value))]).toEqual([value, [error, error]]);
      }
    }
  };
  const named = (limits: Limit[]) => limits.map((limit) => [limit.row, limit] as const);

  it.each(named(TOOL_LIMITS))('8 %s', (_row, limit) => check(limit, ofTool));

  it('8 tool timeout default 10', async () => {
    const { body } = await user.client.post<{ data: Fields }>('/user/tools', TOOL);
    expect(body.data.timeout).toBe(10);
  });

  it.each(named(PARAMETER_LIMITS))('8 %s', (_row, limit) =>
    check(
      limit,
      ofTool,
      (field, value) => ({ schema: [{ ...PARAMETER, [field]: value }] }),
      (field) => `schema.0.${field}`,
    ),
  );

  it('8 number of mid call tools capped by the plan', async () => {
    const { rows } = await database().query<{ name: string; max_tools: number }>(
      'SELECT name, max_tools FROM plans ORDER BY max_tools LIMIT 2',
    );
    for (const { name, max_tools } of rows) {
      const { id, client } = await anAccount({ plan: name });
      await database().query(
        `INSERT INTO tools (account_id, name, description, endpoint, method, timeout, headers, schema)
         SELECT $1, 'look_up', 'Looks up.', 'https://example.com', 'GET', 10, '[]', '[]'
         FROM generate_series(2, $2::int)`,
        [id, max_tools],
      );
      const last = await client.post('/user/tools', TOOL);
      const oneMore = await client.post('/user/tools', TOOL);
      expect([last.status, oneMore.status, oneMore.body]).toEqual([
        201,
        422,
        {
          message: `You have reached your plan limit of ${max_tools} mid call tools. Please upgrade your plan to create more tools.`,
        },
      ]);
    }
  });

  it.each(named(ASSISTANT_LIMITS))('8 %s', (_row, limit) => check(limit, ofAssistant));

  it('8 SMS body max 300 characters', async () => {
    const send = (body: string) =>
      user.client.post('/user/sms', { from: user.phoneNumber.id, to: DELIVERED, body });
    expect(await send(chars(300))).toMatchObject({ status: 200, body: { data: { body: chars(300) } } });
    expect(await send(chars(301))).toMatchObject({
      status: 422,
      body: { message: 'The given data was invalid.', errors: { body: [tooLong(300)('body')] } },
    });
  });

  it.each(PAGE_SIZES)('8 %s', async (_row, path, size) => {
    const get = (query: string) => user.client.get<Fields>(path + query);
    expect((await get('')).body.per_page).toBe(size);
    for (const per_page of [1, 100]) {
      const { status, body } = await get(`?per_page=${per_page}`);
      expect([status, body.per_page]).toEqual([200, per_page]);
    }
    for (const per_page of [0, 101]) {
      const { status, body } = await get(`?per_page=${per_page}`);
      expect([status, body.errors]).toEqual([422, { per_page: [outside(1, 100)('per_page')] }]);
    }
  });
});
