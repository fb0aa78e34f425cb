import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';

const invalid = (errors: Record<string, string[]>) => [422, { message: 'Validation failed', errors }];

const between = (field: string, min: number, max: number): string =>
  `The ${field.replaceAll('_', ' ')} field must be between ${min} and ${max}.`;

/** Row of the table of limits, its field, accepted bounds, and one past each. */
const RANGES: [row: string, field: string, min: number, max: number, step: number][] = [
  ['endpoint_sensitivity', 'endpoint_sensitivity', 0, 5, 0.01],
  ['interrupt_sensitivity', 'interrupt_sensitivity', 0, 5, 0.01],
  ['ambient_sound_volume', 'ambient_sound_volume', 0, 1, 0.01],
  ['llm_temperature', 'llm_temperature', 0, 1, 0.01],
  ['voice_stability', 'voice_stability', 0, 1, 0.01],
  ['voice_similarity', 'voice_similarity', 0, 1, 0.01],
  ['speech_speed', 'speech_speed', 0.7, 1.2, 0.01],
  ['min_interrupt_words', 'min_interrupt_words', 0, 10, 1],
  ['re_engagement_interval', 're_engagement_interval', 7, 600, 1],
  ['max_call_duration', 'max_call_duration', 20, 1200, 1],
  ['max_silence_duration', 'max_silence_duration', 1, 120, 1],
  ['ringing_time', 'ringing_time', 5, 120, 1],
];

const BOOLEANS = [
  'post_call_evaluation',
  'send_webhook_only_on_completed',
  'include_recording_in_webhook',
  'is_webhook_active',
  'use_min_interrupt_words',
  'allow_interruptions',
  'filler_audios',
  'end_call_on_voicemail',
  'noise_cancellation',
  'record_call',
];

describe('limits of assistants', () => {
  let one: TestAccount;
  let other: TestAccount;
  let id: number;

  const create = async (fields: Record<string, unknown>) => {
    const { status, body } = await one.client.post('/user/assistant', assistantBody(fields));
    return [status, body];
  };
  const update = async (fields: Record<string, unknown>) => {
    const { status, body } = await one.client.put(`/user/assistant/${id}`, fields);
    return [status, body];
  };
  /** At creation and at an update the same answer. */
  const refused = async (fields: Record<string, unknown>, errors: Record<string, string[]>) => {
    expect(await Promise.all([create(fields), update(fields)])).toEqual([invalid(errors), invalid(errors)]);
  };
  const accepted = async (fields: Record<string, unknown>) => {
    expect(await Promise.all([create(fields), update(fields)])).toMatchObject([
      [201, { message: 'Assistant created successfully' }],
      [200, { message: 'Assistant updated successfully' }],
    ]);
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    id = await anAssistant(one);
  });

  it.each(RANGES)('%s: %s from %d to %d', async (_row, field, min, max, step) => {
    await Promise.all([min, max, String(max)].map((value) => accepted({ [field]: value })));
    const range = { [field]: [between(field, min, max)] };
    await Promise.all([min - step, max + step].map((value) => refused({ [field]: value }, range)));
    const kind = step === 1 ? 'an integer' : 'a number';
    const errors = { [field]: [`The ${field.replaceAll('_', ' ')} field must be ${kind}.`] };
    const wrong = ['abc', ' 1', true, [1], {}, ...(step === 1 ? [min + 0.5] : [])];
    await Promise.all(wrong.map((value) => refused({ [field]: value }, errors)));
  });

  it.each(BOOLEANS)('%s is a boolean', async (field) => {
    const rest = field === 'is_webhook_active' ? { webhook_url: 'https://example.com' } : {};
    await Promise.all([true, false, 1, 0, '1', '0'].map((value) => accepted({ [field]: value, ...rest })));
    const errors = { [field]: [`The ${field.replaceAll('_', ' ')} field must be true or false.`] };
    await Promise.all(['yes', 'true', 2, []].map((value) => refused({ [field]: value }, errors)));
  });

  it.each([
    ['assistant_name', 255],
    ['end_call_tool.description', 500],
  ])('%s: max %d chars', async (field, max) => {
    await accepted({ [field]: 'x'.repeat(max) });
    const text = `The ${field.replaceAll('_', ' ')} field must not be greater than ${max} characters.`;
    await refused({ [field]: 'x'.repeat(max + 1) }, { [field]: [text] });
  });

  it('end_call_tool as an object has the same limit', async () => {
    await accepted({ end_call_tool: { description: 'x'.repeat(500) } });
    const text = 'The description field must not be greater than 500 characters.';
    await refused(
      { end_call_tool: { description: 'x'.repeat(501) } },
      { 'end_call_tool.description': [text] },
    );
    for (const end_call_tool of ['bye', 1, [], [{ description: 'bye' }]]) {
      await refused({ end_call_tool }, { end_call_tool: ['The end call tool field must be an object.'] });
    }
  });

  it.each(['language', 'llm_model'])('%s: max 100 chars, and one of its values', async (field) => {
    const words = field.replaceAll('_', ' ');
    await refused({ [field]: 'x'.repeat(100) }, { [field]: [`The selected ${words} is invalid.`] });
    const text = `The ${words} field must not be greater than 100 characters.`;
    await refused({ [field]: 'x'.repeat(101) }, { [field]: [text] });
    await refused({ [field]: 5 }, { [field]: [expect.any(String) as unknown as string] });
  });

  it.each(['calls_direction', 'engine_type', 'endpoint_type', 'who_speaks_first'])(
    '%s is one of its values',
    async (field) => {
      const empty = field in assistantBody() ? ['', null] : [];
      for (const value of [...empty, 'other', 1, ['vad'], { constructor: 'vad' }]) {
        await refused({ [field]: value }, { [field]: [expect.any(String) as unknown as string] });
      }
      await refused(
        { [field]: 'other' },
        { [field]: [`The selected ${field.replaceAll('_', ' ')} is invalid.`] },
      );
    },
  );

  it('reports every missing required field at creation', async () => {
    const required = Object.keys(assistantBody());
    const errors = Object.fromEntries(
      required.map((field) => [field, [`The ${field.replaceAll('_', ' ')} field is required.`]]),
    );
    const { status, body } = await one.client.post('/user/assistant', {});
    expect([status, body]).toEqual(invalid(errors));
    for (const field of required) {
      expect(await create({ [field]: null })).toEqual(invalid({ [field]: errors[field] ?? [] }));
      expect(await update({ [field]: null })).toMatchObject([
        422,
        { errors: { [field]: [expect.any(String)] } },
      ]);
    }
  });

  it('accepts identifiers of time zones', async () => {
    await accepted({ timezone: 'America/Argentina/Buenos_Aires' });
    for (const timezone of ['Mars/Olympus', '+02:00', 'UTC+2', 5]) {
      await refused({ timezone }, { timezone: ['The timezone field must be a valid timezone.'] });
    }
  });

  it('accepts http and https URLs as webhook', async () => {
    await accepted({ webhook_url: 'http://example.com:8080/calls?a=b' });
    const errors = { webhook_url: ['The webhook url field must be a valid URL.'] };
    for (const webhook_url of [
      'example.com',
      'ftp://example.com',
      'https://me:secret@example.com',
      'http://',
      5,
    ]) {
      await refused({ webhook_url }, errors);
    }
  });

  it('post_call_schema: all fields of an item are required, names are alphanumeric, there are three types', async () => {
    const item = { name: 'goal_2', type: 'bool', description: 'Reached' };
    for (const type of ['string', 'number', 'bool'])
      await accepted({ post_call_schema: [{ ...item, type }] });
    await accepted({ post_call_schema: [] });
    await refused(
      { post_call_schema: [item, {}] },
      {
        'post_call_schema.1.name': ['The name field is required.'],
        'post_call_schema.1.type': ['The type field is required.'],
        'post_call_schema.1.description': ['The description field is required.'],
      },
    );
    for (const name of ['a b', 'a-b', 'ä', 'a.b']) {
      await refused(
        { post_call_schema: [{ ...item, 'post_call_schema[].name': 'good', name }] },
        { 'post_call_schema.0.name': ['The name field format is invalid.'] },
      );
    }
    await refused(
      { post_call_schema: [{ ...item, type: 'boolean' }] },
      { 'post_call_schema.0.type': ['The selected type is invalid.'] },
    );
    await refused(
      { post_call_schema: {} },
      { post_call_schema: ['The post call schema field must be an array.'] },
    );
    for (const bad of ['a', null, 5]) {
      expect(await create({ post_call_schema: [bad] })).toMatchObject([
        422,
        { message: 'Validation failed' },
      ]);
    }
  });

  it('variables are an object with any keys, at most 16 levels deep', async () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });
    await accepted({ variables: deep(16) });
    await refused(
      { variables: deep(17) },
      { variables: ['The variables field must not be nested deeper than 16 levels.'] },
    );
    for (const variables of ['a', [1], 5]) {
      await refused({ variables }, { variables: ['The variables field must be an object.'] });
    }
  });

  it('refuses a voice, a number or tools that do not exist or are not the user’s', async () => {
    const tool = {
      name: 'look_up',
      description: 'Looks up.',
      endpoint: 'https://example.com',
      method: 'GET',
    };
    const { body } = await other.client.post<{ data: { id: number } }>('/user/tools', tool);
    const mine = await one.client.post<{ data: { id: number } }>('/user/tools', tool);
    await refused({ voice_id: 9999 }, { voice_id: ['The selected voice id is invalid.'] });
    for (const phone_number_id of [other.phoneNumber.id, 2_147_483_647]) {
      await refused({ phone_number_id }, { phone_number_id: ['The selected phone number id is invalid.'] });
    }
    for (const tool_id of [body.data.id, 2_147_483_647]) {
      await refused(
        { tool_ids: [mine.body.data.id, tool_id] },
        { tool_ids: ['The selected tool ids is invalid.'] },
      );
    }
    await refused(
      { voice_id: 9999, language: 'Klingon', llm_model: 'hal-9000', phone_number_id: 2_147_483_647 },
      {
        voice_id: ['The selected voice id is invalid.'],
        language: ['The selected language is invalid.'],
        llm_model: ['The selected llm model is invalid.'],
        phone_number_id: ['The selected phone number id is invalid.'],
      },
    );
    await refused({ voice_id: 2_147_483_648 }, { voice_id: [between('voice_id', 1, 2_147_483_647)] });
    await refused({ tool_ids: [0] }, { tool_ids: ['The tool ids field must be a list of integers.'] });
    await refused({ tool_ids: 'all' }, { tool_ids: ['The tool ids field must be an array.'] });
  });
});
