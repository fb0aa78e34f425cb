import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, aPhoneNumber, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { database } from '../support/database.js';

type Full = Record<string, unknown>;

const WEBHOOK_REQUIRED = {
  message: 'Validation failed',
  errors: { webhook_url: ['The webhook url field is required when is webhook active is true.'] },
};
const NUMBER_INVALID = {
  message: 'Validation failed',
  errors: { phone_number_id: ['The selected phone number id is invalid.'] },
};

describe('updates of assistants', () => {
  let one: TestAccount;
  let other: TestAccount;
  let id: number;

  const full = async (assistant = id): Promise<Full> => {
    const { body } = await one.client.get<{ data: Full }>(`/user/assistant/${assistant}`);
    return body.data;
  };
  const update = async (fields: Record<string, unknown>, assistant = id) => {
    const { status, body } = await one.client.put(`/user/assistant/${assistant}`, fields);
    return { status, body };
  };
  const aTool = async (account: TestAccount, name: string): Promise<number> => {
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name,
      description: 'Looks up.',
      endpoint: 'https://example.com',
      method: 'GET',
    });
    return body.data.id;
  };
  const toolNames = async (): Promise<string[]> =>
    ((await full()).tools as { name: string }[]).map(({ name }) => name);

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  beforeEach(async () => {
    id = await anAssistant(one);
  });

  it('responds with the summary', async () => {
    const fields = {
      assistant_name: 'Sales',
      calls_direction: 'receive',
      engine_type: 'multimodal',
      status: 'inactive',
    };
    expect(await update(fields)).toEqual({
      status: 200,
      body: {
        message: 'Assistant updated successfully',
        data: { id, name: 'Sales', status: 'inactive', type: 'inbound', mode: 'multimodal' },
      },
    });
  });

  it.each([
    ['assistant_name', 'Sales', { name: 'Sales' }],
    ['voice_id', 3, { voice_id: 3 }],
    ['llm_model', 'gpt-4.1', { llm_model_id: 2 }],
    ['calls_direction', 'receive', { type: 'inbound' }],
    ['engine_type', 'multimodal', { mode: 'multimodal' }],
    ['timezone', 'Asia/Tokyo', { timezone: 'Asia/Tokyo' }],
    ['initial_message', 'Hi', { initial_message: 'Hi' }],
    ['system_prompt', 'Be brief.', { system_prompt: 'Be brief.' }],
    ['status', 'inactive', { status: 'inactive' }],
    ['variables', { a: 1 }, { variables: { a: 1 } }],
    ['filler_audios', true, { fillers: 1 }],
    ['record_call', true, { record: true }],
    ['max_call_duration', 90, { max_duration: 90 }],
    ['re_engagement_interval', 45, { reengagement_interval: 45 }],
    ['noise_cancellation', false, { enable_noise_cancellation: false }],
    ['who_speaks_first', 'Customer', { wait_for_customer: true }],
    ['end_call_tool', { description: 'Bye.' }, { end_call_tool: { description: 'Bye.' } }],
    ['post_call_schema', [], { post_call_schema: [] }],
    ['webhook_url', 'https://example.com/a', { webhook_url: 'https://example.com/a' }],
  ])('changes %s and nothing else', async (field, value, shown) => {
    const before = await full();
    expect((await update({ [field]: value })).status).toBe(200);
    const after = await full();
    expect(after).toEqual({ ...before, ...shown, updated_at: after.updated_at });
    expect(String(after.updated_at) > String(before.updated_at)).toBe(true);
  });

  it('changes the language and with it the fillers', async () => {
    const before = await full();
    await update({ language: 'German' });
    const after = await full();
    expect(after).toEqual({
      ...before,
      language: 'German',
      language_id: 3,
      filler_config: expect.objectContaining({ question: expect.arrayContaining(['Gute Frage.']) }),
      updated_at: after.updated_at,
    });
    await update({ language: 'Finnish' });
    expect((await full()).filler_config).toMatchObject({ neutral: [], question: [] });
  });

  it('replaces variables and removes an empty description of the end of the call', async () => {
    await update({ variables: { a: 1, b: 2 }, end_call_tool: { description: 'Bye.' } });
    await update({ variables: { b: 3 }, 'end_call_tool.description': '' });
    expect(await full()).toMatchObject({ variables: { b: 3 }, end_call_tool: null });
  });

  it('keeps the changes of concurrent updates', async () => {
    await Promise.all([update({ assistant_name: 'Sales' }), update({ timezone: 'Asia/Tokyo' })]);
    expect(await full()).toMatchObject({ name: 'Sales', timezone: 'Asia/Tokyo' });
  });

  it('replaces tool assignments, and an empty array removes all', async () => {
    const [first, second] = [await aTool(one, 'first'), await aTool(one, 'second')];
    await update({ tool_ids: [first, second] });
    expect(await toolNames()).toEqual(['first', 'second']);
    await update({ assistant_name: 'Same tools' });
    expect(await toolNames()).toEqual(['first', 'second']);
    await update({ tool_ids: [String(second)] });
    expect(await toolNames()).toEqual(['second']);
    await update({ tool_ids: [] });
    expect(await toolNames()).toEqual([]);
  });

  it('removes a deleted tool, and shows a changed one with its new values', async () => {
    const [first, second] = [await aTool(one, 'gone_soon'), await aTool(one, 'old_name')];
    await update({ tool_ids: [first, second] });
    await one.client.delete(`/user/tools/${first}`);
    await one.client.put(`/user/tools/${second}`, { name: 'new_name' });
    expect(await toolNames()).toEqual(['new_name']);
  });

  it('changes nothing when one field is wrong', async () => {
    const before = await full();
    expect(await update({ assistant_name: 'Sales', speech_speed: 1.3 })).toMatchObject({
      status: 422,
      body: { errors: { speech_speed: ['The speech speed field must be between 0.7 and 1.2.'] } },
    });
    expect((await update({ assistant_name: 'Sales', voice_id: 9999, tool_ids: [] })).status).toBe(422);
    expect(await full()).toEqual(before);
  });

  it('unassigns the phone number by null', async () => {
    const number = await aPhoneNumber(one.id);
    await update({ phone_number_id: number.id });
    expect((await full()).phone_number_id).toBe(number.id);
    await update({ phone_number_id: null });
    expect((await full()).phone_number_id).toBeNull();
  });

  describe('webhook_url is required when is_webhook_active is true', () => {
    it('at creation', async () => {
      const { status, body } = await one.client.post(
        '/user/assistant',
        assistantBody({ is_webhook_active: true }),
      );
      expect([status, body]).toEqual([422, WEBHOOK_REQUIRED]);
    });

    it('after the update, not in its body', async () => {
      expect(await update({ is_webhook_active: true })).toEqual({ status: 422, body: WEBHOOK_REQUIRED });
      await update({ webhook_url: 'https://example.com/a' });
      expect((await update({ is_webhook_active: true })).status).toBe(200);
      expect(await full()).toMatchObject({ is_webhook_active: true, webhook_url: 'https://example.com/a' });
      const both = await update({ is_webhook_active: true, webhook_url: null });
      expect(both).toEqual({ status: 422, body: WEBHOOK_REQUIRED });
    });

    it('webhook_url null also ends the webhook; is_webhook_active false keeps the URL', async () => {
      await update({ is_webhook_active: true, webhook_url: 'https://example.com/a' });
      await update({ is_webhook_active: false });
      expect(await full()).toMatchObject({ is_webhook_active: false, webhook_url: 'https://example.com/a' });
      await update({ is_webhook_active: true });
      await update({ webhook_url: null });
      expect(await full()).toMatchObject({ is_webhook_active: false, webhook_url: null });
    });
  });

  it('validates the model against the mode after the update', async () => {
    const wrong = {
      message: 'Validation failed',
      errors: { llm_model: ['The selected llm model is invalid.'] },
    };
    expect(await update({ llm_model: 'gpt-realtime' })).toEqual({ status: 422, body: wrong });
    expect((await update({ llm_model: 'gpt-realtime', engine_type: 'multimodal' })).status).toBe(200);
    expect(await update({ engine_type: 'pipeline' })).toEqual({ status: 422, body: wrong });
    expect((await update({ engine_type: 'pipeline', llm_model: 'gpt-4o' })).status).toBe(200);
  });

  describe('phone number of an inbound assistant', () => {
    it('cannot be used by another inbound assistant; outbound ones may share it', async () => {
      const { id: phone_number_id } = await aPhoneNumber(one.id);
      const holder = await anAssistant(one, { calls_direction: 'receive', phone_number_id });
      const second = { calls_direction: 'receive', phone_number_id };
      const { status, body } = await one.client.post('/user/assistant', assistantBody(second));
      expect([status, body]).toEqual([422, NUMBER_INVALID]);
      expect((await update({ phone_number_id })).status).toBe(200);
      expect(await update({ calls_direction: 'receive' })).toEqual({ status: 422, body: NUMBER_INVALID });
      await update({ phone_number_id: null }, holder);
      expect((await update({ calls_direction: 'receive' })).status).toBe(200);
    });

    it('is assigned to exactly one of concurrent requests', async () => {
      const { id: phone_number_id } = await aPhoneNumber(one.id);
      const body = assistantBody({ calls_direction: 'receive', phone_number_id });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => one.client.post('/user/assistant', body)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 201);
      for (const answer of others) expect([answer.status, answer.body]).toEqual([422, NUMBER_INVALID]);
    });
  });

  it('returns the documented 500 without the cause', async () => {
    const broken = await anAccount();
    const assistant = await anAssistant(broken);
    const name = `breaks_${broken.id}`;
    await database().query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''on purpose''; END';
      CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON assistants
        FOR EACH ROW WHEN (NEW.account_id = ${broken.id}) EXECUTE FUNCTION ${name}()`);
    try {
      const created = await broken.client.post('/user/assistant', assistantBody());
      expect([created.status, created.body]).toEqual([500, { message: 'Assistant creation failed' }]);
      const updated = await broken.client.put(`/user/assistant/${assistant}`, { assistant_name: 'Sales' });
      expect([updated.status, updated.body]).toEqual([500, { message: 'Assistant update failed' }]);
    } finally {
      await database().query(`DROP FUNCTION ${name} CASCADE`);
    }
    const repaired = await broken.client.put(`/user/assistant/${assistant}`, { assistant_name: 'Sales' });
    expect(repaired.status).toBe(200);
  });

  it('does not change other users’ assistants', async () => {
    const theirs = await anAssistant(other);
    expect(await update({ assistant_name: 'Mine' }, theirs)).toEqual({
      status: 404,
      body: { message: 'Assistant not found' },
    });
    const { body } = await other.client.get<{ data: Full }>(`/user/assistant/${theirs}`);
    expect(body.data.name).toBe('Front desk');
  });
});
