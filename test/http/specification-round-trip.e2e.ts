import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { database } from '../support/database.js';
import { randomAssistant } from '../support/random-assistant.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';

/** spec/decisions.md, section 1: "What a client reads it can write back". */
type Fields = Record<string, unknown>;

const ASSISTANTS = 40;

/** Numerical Recipes' generator: the same assistants in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

describe('what a client reads can be written back', () => {
  let user: TestAccount;
  let tool: number;
  let assistant: number;

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
    const created = await user.client.post<{ data: { id: number } }>('/user/tools', {
      ...ROUTES.createTool?.body?.({} as AccountResources),
      headers: [{ name: 'X-Key', value: 'a' }],
      schema: [{ name: 'order_number', type: 'string', description: 'The order' }],
    });
    tool = created.body.data.id;
    assistant = await anAssistant(user);
  });

  /** Of the resource at the path, with or without `data` around it. */
  const read = async (path: string): Promise<Fields> => {
    const { body } = await user.client.get<{ data?: Fields } & Fields>(path);
    return body.data ?? body;
  };
  const put = async (path: string, body: Fields) => {
    const answer = await user.client.put(path, body);
    return [answer.status, answer.body];
  };
  /** What GET gave goes back whole: 200, and nothing changes, not even `updated_at`. */
  const unchanged = async (path: string, fields: Fields = {}) => {
    const before = await read(path);
    const answer = await put(path, { ...before, ...fields });
    expect([before, answer[0], answer[1]]).toEqual([before, 200, expect.anything()]);
    expect(await read(path)).toEqual(before);
  };

  it('PUT of the full shape of any assistant changes nothing', async () => {
    const random = seeded(12);
    for (let count = 0; count < ASSISTANTS; count++) {
      const id = await anAssistant(user, {
        ...randomAssistant(random),
        tool_ids: random() < 0.5 ? [tool] : [],
        phone_number_id: null,
      });
      await unchanged(`/user/assistant/${id}`);
    }
  });

  it('PUT of the full shape of an assistant changes nothing while end_call_tool is null', async () => {
    const id = await anAssistant(user, { phone_number_id: user.phoneNumber.id });
    expect(await read(`/user/assistant/${id}`)).toMatchObject({ end_call_tool: null });
    await unchanged(`/user/assistant/${id}`);
  });

  it.each<[string, Fields, Fields]>([
    ['the request name', { max_call_duration: 700 }, { max_duration: 700 }],
    ['the name in answers', { max_duration: 700 }, { max_duration: 700 }],
    ['the name of a language', { language: 'GERMAN' }, { language: 'German', language_id: 3 }],
    ['the id of a language', { language_id: 3 }, { language: 'German', language_id: 3 }],
    ['the name of a model', { llm_model: 'GPT-4.1' }, { llm_model_id: 2 }],
    ['the id of a model', { llm_model_id: 2 }, { llm_model_id: 2 }],
    ['both, of which both differ', { max_call_duration: 700, max_duration: 701 }, { max_duration: 700 }],
    [
      'both, of which one differs',
      { assistant_name: 'Front desk', name: 'Night desk' },
      { name: 'Night desk' },
    ],
    [
      'a multimodal model',
      { engine_type: 'multimodal', multimodal_model_id: 9 },
      { mode: 'multimodal', llm_model_id: 9, multimodal_model_id: 9 },
    ],
    ['a direction', { type: 'inbound' }, { type: 'inbound' }],
    ['who speaks first', { wait_for_customer: true }, { wait_for_customer: true }],
    ['a number as text', { llm_temperature: '0.25' }, { llm_temperature: '0.25' }],
  ])('PUT of the full shape with one change applies the change: %s', async (_title, changed, shown) => {
    const id = await anAssistant(user);
    const before = await read(`/user/assistant/${id}`);
    expect((await put(`/user/assistant/${id}`, { ...before, ...changed }))[0]).toBe(200);
    const after = await read(`/user/assistant/${id}`);
    const fillers =
      'language' in changed || 'language_id' in changed ? after.filler_config : before.filler_config;
    expect(after).toEqual({ ...before, ...shown, filler_config: fillers, updated_at: after.updated_at });
    expect(after.updated_at).not.toBe(before.updated_at);
  });

  it('a field that decides about others does so also where it does not change', async () => {
    const spoken = await anAssistant(user, { engine_type: 'multimodal', multimodal_model_id: 9 });
    const before = await read(`/user/assistant/${spoken}`);
    expect(before).toMatchObject({ mode: 'multimodal', llm_model_id: 9, multimodal_model_id: 9 });
    expect((await put(`/user/assistant/${spoken}`, { ...before, llm_model_id: 2 }))[0]).toBe(200);
    const model = { llm_model: ['The selected llm model is invalid.'] };
    expect(await put(`/user/assistant/${spoken}`, { ...before, mode: 'pipeline' })).toEqual([
      422,
      { message: 'Validation failed', errors: model },
    ]);
    expect(await read(`/user/assistant/${spoken}`)).toEqual(before);

    const webhook = { is_webhook_active: true, webhook_url: 'https://example.com/calls' };
    const path = `/user/assistant/${await anAssistant(user, webhook)}`;
    const shown = await read(path);
    expect(shown).toMatchObject(webhook);
    const errors = { webhook_url: ['The webhook url field is required when is webhook active is true.'] };
    expect(await put(path, { ...shown, webhook_url: null })).toEqual([
      422,
      { message: 'Validation failed', errors },
    ]);
    expect(await read(path)).toEqual(shown);
  });

  it('POST of an assistant accepts the names of responses', async () => {
    const answer = await user.client.post<{ data: { id: number } }>('/user/assistant', {
      name: 'Ada',
      type: 'inbound',
      mode: 'pipeline',
      language_id: 3,
      llm_model_id: 2,
      multimodal_model_id: null,
      record: true,
      max_duration: '700',
      reengagement_interval: 8,
      enable_noise_cancellation: 0,
      fillers: 1,
      wait_for_customer: true,
      voice_id: 1,
      timezone: 'UTC',
      initial_message: 'Hello.',
      system_prompt: 'Be kind.',
      llm_temperature: '0.30',
    });
    expect(answer.status).toBe(201);
    expect(await read(`/user/assistant/${answer.body.data.id}`)).toMatchObject({
      name: 'Ada',
      type: 'inbound',
      mode: 'pipeline',
      language: 'German',
      llm_model_id: 2,
      record: true,
      max_duration: 700,
      reengagement_interval: 8,
      enable_noise_cancellation: false,
      fillers: 1,
      wait_for_customer: true,
      llm_temperature: '0.30',
    });
  });

  it('a wrong value under a name of responses is a 422 on that name', async () => {
    const errors = {
      name: ['The name field must not be greater than 255 characters.'],
      max_duration: ['The max duration field must be between 20 and 1200.'],
      type: ['The selected type is invalid.'],
    };
    const wrong = { name: 'x'.repeat(256), max_duration: 5, type: 'make' };
    expect(await put(`/user/assistant/${assistant}`, wrong)).toEqual([
      422,
      { message: 'Validation failed', errors },
    ]);
    const unknown = { language_id: 999, llm_model_id: 999, multimodal_model_id: 1 };
    expect(await put(`/user/assistant/${assistant}`, unknown)).toEqual([
      422,
      {
        message: 'Validation failed',
        errors: {
          language_id: ['The selected language id is invalid.'],
          llm_model_id: ['The selected llm model id is invalid.'],
          multimodal_model_id: ['The selected multimodal model id is invalid.'],
        },
      },
    ]);
  });

  it('a tool, a campaign, a lead and a contact are accepted as they were returned', async () => {
    await unchanged(`/user/tools/${tool}`);
    const campaign = await aCampaign(user, {
      assistant_id: assistant,
      phone_number_ids: [user.phoneNumber.id],
      goal_completion_variable: 'status',
      windows: [{ end: '12:00', start: '09:00', days: ['friday', 'monday'] }],
      strict_timezones: true,
      quiet_hours: 'auto',
    });
    await unchanged(`/user/campaigns/${campaign}`);
    const lead = await aLead(user, campaign, {
      phone_number: '+1234567890',
      variables: { a: { b: [1] } },
      secondary_contacts: [{ phone_number: aNumber() }],
    });
    await unchanged(`/user/leads/${lead.id}`);
    await unchanged(`/user/leads/${lead.secondary_contacts[0]?.id}`);
  });

  it('a lead is accepted with every status, and its own status does not queue it', async () => {
    const lead = await aLead(user, await aCampaign(user, { assistant_id: assistant }));
    const row = async () =>
      (await database().query('SELECT * FROM leads WHERE id = $1', [lead.id])).rows[0] as unknown;
    for (const status of ['created', 'processing', 'rescheduled', 'scheduled', 'completed', 'blacklisted']) {
      await database().query(
        `UPDATE leads SET status = $2, attempts = 2, due_at = now() + interval '1 day', last_outcome = 'busy'
           WHERE id = $1`,
        [lead.id, status],
      );
      const before = await row();
      await unchanged(`/user/leads/${lead.id}`);
      expect(await put(`/user/leads/${lead.id}`, { status })).toEqual([
        200,
        { message: 'Lead updated successfully' },
      ]);
      const others = { attempts: 0, next_attempt_at: '2030-01-01 00:00:00', last_outcome: 'completed' };
      expect((await put(`/user/leads/${lead.id}`, others))[0]).toBe(200);
      expect(await row()).toEqual(before);
    }
    const other = await put(`/user/leads/${lead.id}`, { status: 'processing' });
    expect(other[0]).toBe(422);
    await put(`/user/leads/${lead.id}`, { status: 'created' });
    expect(await row()).toMatchObject({ status: 'created', attempts: 0 });
  });

  it('stored values that do not change are never validated again', async () => {
    const id = await anAssistant(user, { phone_number_id: user.phoneNumber.id });
    const other = await anAccount();
    const campaign = await aCampaign(user, {
      assistant_id: assistant,
      phone_number_ids: [user.phoneNumber.id],
    });
    const gone = (
      await database().query<{ id: number }>(
        `INSERT INTO phone_numbers (account_id, phone_number, country_code) VALUES ($1, $2, 'US') RETURNING id`,
        [other.id, aNumber()],
      )
    ).rows[0]?.id;
    // As rules of former releases, and changes by the operator, left them.
    await database().query(
      `UPDATE assistants SET max_call_duration = 3600, webhook_url = 'ftp://example.com', phone_number_id = $2
         WHERE id = $1`,
      [id, gone],
    );
    await database().query(
      `UPDATE campaigns SET max_retries = 50, timezone = 'Old/Zone',
           windows = '[{"days": ["friday"], "start": "9", "end": "8"}]', phone_number_ids = ARRAY[$2::int] WHERE id = $1`,
      [campaign, gone],
    );
    await database().query(`UPDATE tools SET endpoint = 'ftp://example.com', timeout = 90 WHERE id = $1`, [
      tool,
    ]);
    for (const path of [`/user/assistant/${id}`, `/user/campaigns/${campaign}`, `/user/tools/${tool}`]) {
      await unchanged(path);
    }
    expect((await put(`/user/assistant/${id}`, { max_call_duration: 3600 }))[0]).toBe(200);
    // Besides them everything is.
    const before = await read(`/user/assistant/${id}`);
    expect(await put(`/user/assistant/${id}`, { ...before, name: 'Ada', max_duration: 3601 })).toEqual([
      422,
      {
        message: 'Validation failed',
        errors: { max_duration: ['The max duration field must be between 20 and 1200.'] },
      },
    ]);
    expect(await read(`/user/assistant/${id}`)).toEqual(before);
    expect((await put(`/user/assistant/${id}`, { ...before, name: 'Ada' }))[0]).toBe(200);
    expect(await read(`/user/assistant/${id}`)).toMatchObject({ name: 'Ada', max_duration: 3600 });
  });
});
