import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { aPhoneNumber, anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';
import { CARRIER_FAILS, DELIVERED } from '../support/sms.js';

/** Every row of the table of section 7.2. */
type Fields = Record<string, unknown>;
interface Created {
  data: { id: number };
}

const MISSING = 2_147_483_000;
const TOOL = ROUTES.createTool?.body?.({} as AccountResources);
const NAME_RULE = 'Tool name must contain only lowercase letters and underscores, and start with a letter.';
const SPEED_RULE = 'The speech speed field must be between 0.7 and 1.2.';
const URL_RULE = 'The webhook url field must be a valid URL.';
const URL_REQUIRED = 'The webhook url field is required when is webhook active is true.';
/** The database refuses assistants of this name, whatever the service does. */
const CURSED = `cursed ${randomBytes(6).toString('hex')}`;
const TRIGGER = CURSED.replace(' ', '_');

describe('7.2', () => {
  let user: TestAccount;
  let other: TestAccount;
  let poor: TestAccount;
  let full: TestAccount;
  let mute: number;
  let assistant: number;
  let tool: number;

  beforeAll(async () => {
    await database().query(
      `CREATE FUNCTION ${TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cursed'; END $$;
       CREATE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE ON assistants FOR EACH ROW
       WHEN (NEW.name = '${CURSED}') EXECUTE FUNCTION ${TRIGGER}()`,
    );
    [user, other, poor, full] = await Promise.all([
      anAccount(),
      anAccount(),
      anAccount({ balance: 0.001 }),
      anAccount({ plan: 'free' }),
    ]);
    mute = (await aPhoneNumber(user.id, { smsCapable: false })).id;
    assistant = await anAssistant(user);
    tool = (await user.client.post<Created>('/user/tools', TOOL)).body.data.id;
  });
  afterAll(() => database().query(`DROP FUNCTION ${TRIGGER}() CASCADE`));

  const post = (path: string, body: Fields, { client } = user) => client.post(`/user/${path}`, body);
  const put = (path: string, body: Fields, { client } = user) => client.put(`/user/${path}`, body);
  const create = (fields: Fields) => post('assistant', assistantBody(fields));
  const update = (fields: Fields) => put(`assistant/${assistant}`, fields);
  const createTool = (fields: Fields, account = user) => post('tools', { ...TOOL, ...fields }, account);
  const sms = (fields: Fields, account = user) =>
    post('sms', { from: account.phoneNumber.id, to: DELIVERED, body: 'Hello', ...fields }, account);
  /** At both switches. */
  const disable = (body: Fields, account = user) =>
    ['disable-webhook', 'disable-inbound-webhook'].map((name) => post(`assistants/${name}`, body, account));

  const invalid = (errors: Fields, message = 'Validation failed') => ({ message, errors });

  it.each<[row: string, ask: () => Promise<Answer<unknown>>[], status: number, body: Fields]>([
    [
      'update tool, tool not found',
      () => [put(`tools/${MISSING}`, TOOL ?? {}), put(`tools/${tool}`, TOOL ?? {}, other)],
      404,
      { message: 'Tool not found' },
    ],
    [
      'update tool, invalid body',
      () => [put(`tools/${tool}`, { name: 'Check Order' })],
      422,
      invalid({ name: [NAME_RULE] }),
    ],
    [
      'create tool, invalid body',
      () => [createTool({ name: 'Check Order', method: undefined })],
      422,
      invalid({ name: [NAME_RULE], method: ['The method field is required.'] }),
    ],
    [
      'create assistant, invalid body (missing required field)',
      () => [create({ assistant_name: undefined, voice_id: undefined })],
      422,
      invalid({
        assistant_name: ['The assistant name field is required.'],
        voice_id: ['The voice id field is required.'],
      }),
    ],
    [
      'create assistant, invalid body (webhook_url missing while is_webhook_active is true)',
      () => [create({ is_webhook_active: true })],
      422,
      invalid({ webhook_url: [URL_REQUIRED] }),
    ],
    [
      'create assistant, internal failure',
      () => [create({ assistant_name: CURSED })],
      500,
      { message: 'Assistant creation failed' },
    ],
    [
      "update assistant, assistant not found or not the user's",
      () => [
        put(`assistant/${MISSING}`, { record_call: true }),
        put(`assistant/${assistant}`, { record_call: true }, other),
      ],
      404,
      { message: 'Assistant not found' },
    ],
    [
      'update assistant, invalid value',
      () => [update({ speech_speed: 1.3, webhook_url: 'not a url' })],
      422,
      invalid({ speech_speed: [SPEED_RULE], webhook_url: [URL_RULE] }),
    ],
    [
      'update assistant, internal failure',
      () => [update({ assistant_name: CURSED })],
      500,
      { message: 'Assistant update failed' },
    ],
    [
      "disable webhook / disable inbound webhook, assistant not found or not the user's",
      () => [...disable({ assistant_id: MISSING }), ...disable({ assistant_id: assistant }, other)],
      404,
      { message: 'Assistant not found' },
    ],
    [
      'disable webhook / disable inbound webhook, assistant_id missing',
      () => disable({}),
      422,
      invalid({ assistant_id: ['The assistant id field is required.'] }, 'The given data was invalid.'),
    ],
    [
      'send SMS, from number not found',
      () => [sms({ from: MISSING }), sms({ from: other.phoneNumber.id })],
      400,
      { message: 'From number not found' },
    ],
    [
      'send SMS, invalid to number',
      () => [sms({ to: '+12125550' })],
      400,
      { message: 'Invalid phone number format' },
    ],
    [
      'send SMS, balance too low',
      () => [sms({}, poor)],
      400,
      { message: 'Insufficient balance to send SMS' },
    ],
    [
      'send SMS, sender not SMS-capable',
      () => [sms({ from: mute })],
      400,
      { message: 'Phone number is not SMS-capable' },
    ],
    [
      'send SMS, provider failure',
      () => [sms({ to: CARRIER_FAILS })],
      500,
      { message: 'Failed to send SMS', error: expect.stringMatching(/\w/) },
    ],
  ])('7.2 %s', async (_row, ask, status, body) => {
    for (const answer of await Promise.all(ask()))
      expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it("7.2 create tool, user reached the plan's maximum of mid call tools", async () => {
    const { rows } = await database().query<{ max_tools: number }>(
      `SELECT max_tools FROM plans WHERE name = 'free'`,
    );
    const limit = rows[0]?.max_tools ?? 0;
    const answers = await Promise.all(Array.from({ length: limit + 1 }, () => createTool({}, full)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect([answers.length - refused.length, refused.map(({ status, body }) => [status, body])]).toEqual([
      limit,
      [
        [
          422,
          {
            message: `You have reached your plan limit of ${limit} mid call tools. Please upgrade your plan to create more tools.`,
          },
        ],
      ],
    ]);
  });

  it('leaves the assistant unchanged after an internal failure', async () => {
    const read = async () => (await user.client.get(`/user/assistant/${assistant}`)).body;
    const before = await read();
    expect((await update({ assistant_name: CURSED, max_call_duration: 700 })).status).toBe(500);
    expect(await read()).toEqual(before);
    const { text } = await user.client.get('/user/assistants');
    expect(text).not.toContain(CURSED);
  });
});
