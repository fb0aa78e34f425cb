import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { database } from '../support/database.js';
import { selected } from '../support/texts.js';

type Fields = Record<string, unknown>;

const DEFAULTS = {
  ambient_sound: 'off',
  reengagement_prompt: null,
  max_initial_silence_duration: null,
  ringing_time: 30,
  llm_fallback_model: null,
  voice_mail_message: null,
  transfer_numbers: [],
  fallback_voice_ids: [],
  widget_settings: {
    enabled: false,
    allowed_origins: [],
    theme: 'light',
    color: '#2563eb',
    position: 'bottom-right',
  },
  synthesizer_provider_id: null,
  transcriber_provider_id: null,
};
const WRITTEN = { neutral: ['Well.'], negative: [], positive: ['Fine.'], question: ['Hm?'] };
const PHRASE = 'x'.repeat(200);
const SPEAKS_GERMAN = 24;
const SILENCE_RANGE = 'The max initial silence duration field must be between 1 and 120.';

describe('settings beyond the specification', () => {
  let user: TestAccount;
  let id: number;

  const create = async (fields: Fields) => {
    const { status, body } = await user.client.post('/user/assistant', assistantBody(fields));
    return [status, body];
  };
  const update = async (fields: Fields) => {
    const { status, body } = await user.client.put(`/user/assistant/${id}`, fields);
    return [status, body];
  };
  const full = async (assistant = id) =>
    (await user.client.get<{ data: Fields }>(`/user/assistant/${assistant}`)).body.data;
  const fillers = async () => (await full()).filler_config;
  /** At creation and at an update the same answer, and nothing is written. */
  const refused = async (fields: Fields, errors: Record<string, string[]>) => {
    const before = await full();
    const answer = [422, { message: 'Validation failed', errors }];
    expect(await Promise.all([create(fields), update(fields)])).toEqual([answer, answer]);
    expect(await full()).toEqual(before);
  };
  const taken = async (fields: Fields, shown: Fields = fields) => {
    const created = await anAssistant(user, fields);
    expect(await update(fields)).toMatchObject([200, { data: { id } }]);
    const lists = await user.client.get<{ data: Fields[] }>('/user/assistants/get?per_page=100');
    const listed = lists.body.data.find((item) => item.id === id);
    expect([await full(created), await full(), listed]).toMatchObject([shown, shown, shown]);
  };

  beforeAll(async () => {
    user = await anAccount({ plan: 'unlimited' });
  });
  beforeEach(async () => {
    id = await anAssistant(user);
  });

  it('have defaults, which null at creation keeps', async () => {
    const nulls = Object.entries(DEFAULTS).flatMap(([name, value]) => (value === null ? [[name, null]] : []));
    const created = await anAssistant(user, { ...Object.fromEntries(nulls), filler_config: null });
    const languages = {
      filler_config: expect.objectContaining({ question: expect.arrayContaining(['Good question.']) }),
    };
    expect(await full()).toMatchObject({ ...DEFAULTS, ...languages });
    expect(await full(created)).toMatchObject({ ...DEFAULTS, ...languages });
  });

  it.each<[string, unknown, unknown?]>([
    ['ambient_sound', 'call-center'],
    ['reengagement_prompt', 'x'.repeat(500)],
    ['max_initial_silence_duration', 1],
    ['max_initial_silence_duration', '120', 120],
    ['ringing_time', 5],
    ['ringing_time', 120],
    ['llm_fallback_model', 'gpt-4.1'],
    ['fallback_voice_ids', [51, '2', 51], [51, 2]],
    ['fallback_voice_ids', []],
    ['voice_mail_message', 'x'.repeat(1000)],
    ['filler_config', WRITTEN],
    [
      'filler_config',
      { neutral: Array(20).fill(PHRASE) },
      { ...WRITTEN, neutral: Array(20).fill(PHRASE), positive: [], question: [] },
    ],
    [
      'transfer_numbers',
      [
        { name: 'Workshop', phone_number: '(415) 555-0199', description: 'Repairs' },
        { name: 'Ada', phone_number: '+14155550100' },
      ],
      [
        { name: 'Workshop', phone_number: '+14155550199', description: 'Repairs' },
        { name: 'Ada', phone_number: '+14155550100', description: '' },
      ],
    ],
    [
      'widget_settings',
      {
        enabled: '1',
        allowed_origins: ['HTTPS://Example.com:443', 'http://localhost:8080'],
        title: { toString: 'Hi' },
      },
      {
        enabled: true,
        allowed_origins: ['https://example.com', 'http://localhost:8080'],
        title: { toString: 'Hi' },
      },
    ],
    ['widget_settings', { color: 'red' }, { enabled: false, allowed_origins: [], color: 'red' }],
  ])('%s is accepted (case %#)', async (field, given, shown = given) => {
    await taken({ [field]: given }, { [field]: shown });
    const { widget_settings } = await full();
    if (field === 'widget_settings') expect(widget_settings).toEqual(shown);
  });

  it('are cleared by null, and by an empty text', async () => {
    const texts = {
      reengagement_prompt: 'Ask.',
      voice_mail_message: 'Hello.',
      llm_fallback_model: 'gpt-4.1',
    };
    const cleared = { reengagement_prompt: null, voice_mail_message: null, llm_fallback_model: null };
    await update({ ...texts, max_initial_silence_duration: 5 });
    await update({ ...cleared, max_initial_silence_duration: null });
    expect(await full()).toMatchObject({ ...cleared, max_initial_silence_duration: null });
    await update(texts);
    await update({ reengagement_prompt: '', voice_mail_message: '', llm_fallback_model: '' });
    expect(await full()).toMatchObject(cleared);
  });

  it.each<[string, unknown, string]>([
    ['ambient_sound', 'rain', 'The selected ambient sound is invalid.'],
    [
      'reengagement_prompt',
      'x'.repeat(501),
      'The reengagement prompt field must not be greater than 500 characters.',
    ],
    ['max_initial_silence_duration', 0, SILENCE_RANGE],
    ['max_initial_silence_duration', 121, SILENCE_RANGE],
    ['ringing_time', 4, 'The ringing time field must be between 5 and 120.'],
    ['ringing_time', 121, 'The ringing time field must be between 5 and 120.'],
    ['llm_fallback_model', 'hal-9000', 'The selected llm fallback model is invalid.'],
    ['llm_fallback_model', 'gpt-realtime', 'The selected llm fallback model is invalid.'],
    ['fallback_voice_ids', [1, 9_999], 'The selected fallback voice ids is invalid.'],
    ['fallback_voice_ids', 1, 'The fallback voice ids field must be an array.'],
    [
      'fallback_voice_ids',
      [1, 2, 3, 4, 5, 6],
      'The fallback voice ids field must not have more than 5 items.',
    ],
    [
      'voice_mail_message',
      'x'.repeat(1001),
      'The voice mail message field must not be greater than 1000 characters.',
    ],
    ['synthesizer_provider_id', 2, 'The selected synthesizer provider id is invalid.'],
    ['transcriber_provider_id', 1, 'The selected transcriber provider id is invalid.'],
    ['filler_config', [], 'The filler config field must be an object.'],
    ['transfer_numbers', {}, 'The transfer numbers field must be an array.'],
    [
      'transfer_numbers',
      Array.from({ length: 21 }, () => ({ name: 'Ada', phone_number: '+14155550100' })),
      'The transfer numbers field must not have more than 20 items.',
    ],
    ['widget_settings', [], 'The widget settings field must be an object.'],
    [
      'widget_settings',
      { text: 'x'.repeat(16 * 1024) },
      'The widget settings field must not be larger than 16 kilobytes.',
    ],
  ])('%s is refused (case %#)', async (field, value, text) => {
    await refused({ [field]: value }, { [field]: [text] });
  });

  it('name the part that is wrong', async () => {
    await refused(
      {
        filler_config: {
          neutral: Array(21).fill('Hm.'),
          negative: [`${PHRASE}x`],
          positive: [5],
          question: 'Hm.',
        },
      },
      {
        'filler_config.neutral': ['The neutral field must not have more than 20 items.'],
        'filler_config.negative': ['The negative field must not have items greater than 200 characters.'],
        'filler_config.positive': ['The positive field must be a list of strings.'],
        'filler_config.question': ['The question field must be an array.'],
      },
    );
    await refused(
      { transfer_numbers: [{ name: 'Ada', phone_number: '+14155550100' }, {}] },
      {
        'transfer_numbers.1.name': ['The name field is required.'],
        'transfer_numbers.1.phone_number': ['The phone number field is required.'],
      },
    );
    await refused(
      {
        transfer_numbers: [{ name: 'Ada', phone_number: 'nobody' }],
        widget_settings: { enabled: 'yes', allowed_origins: ['https://example.com/page'] },
      },
      {
        'transfer_numbers.0.phone_number': ['The phone number field must be a valid phone number.'],
        'widget_settings.enabled': ['The enabled field must be true or false.'],
        'widget_settings.allowed_origins': [
          'The allowed origins field must be a list of origins such as https://example.com.',
        ],
      },
    );
    const origins = Array.from({ length: 51 }, (_, index) => `https://${index}.example.com`);
    await refused(
      { widget_settings: { allowed_origins: origins } },
      { 'widget_settings.allowed_origins': ['The allowed origins field must not have more than 50 items.'] },
    );
    await taken({ widget_settings: { allowed_origins: origins.slice(1) } });
  });

  it('a custom filler_config is kept with another language, else the language has its own', async () => {
    const english = await fillers();
    await update({ filler_config: WRITTEN });
    await update({ language: 'German' });
    expect(await fillers()).toEqual(WRITTEN);
    await update({ filler_config: null });
    expect(await fillers()).toMatchObject({ question: expect.arrayContaining(['Gute Frage.']) });
    await update({ language: 'English' });
    expect(await fillers()).toEqual(english);
  });

  it('change nothing when they are sent back as they are read', async () => {
    const before = await full();
    const shown = Object.fromEntries(
      Object.keys({ ...DEFAULTS, filler_config: 0 }).map((name) => [name, before[name]]),
    );
    expect(await update(shown)).toMatchObject([200, {}]);
    expect(await full()).toEqual({ ...before, updated_at: expect.any(String) });
    // The fillers of the language do not count as written.
    await update({ language: 'German', ...shown });
    expect(await fillers()).toMatchObject({ question: expect.arrayContaining(['Gute Frage.']) });
  });

  it('PUT of the full shape as returned by GET changes nothing', async () => {
    // Null is refused as the end of the call.
    await update({ end_call_tool: { description: 'Bye.' } });
    const before = await full();
    expect(await update(before)).toMatchObject([200, {}]);
    expect(await full()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  it('of rows that are older than the widget are its defaults', async () => {
    await database().query(`UPDATE assistants SET widget_settings = '{"theme":"dark"}' WHERE id = $1`, [id]);
    expect((await full()).widget_settings).toEqual({ enabled: false, allowed_origins: [], theme: 'dark' });
  });

  it('transfer_numbers are read in the country of the account', async () => {
    const german = await anAccount({ country: 'DE' });
    const assistant = await anAssistant(german, {
      transfer_numbers: [{ name: 'Ada', phone_number: '030 901820' }],
    });
    const { body } = await german.client.get<{ data: Fields }>(`/user/assistant/${assistant}`);
    expect(body.data.transfer_numbers).toEqual([
      { name: 'Ada', phone_number: '+4930901820', description: '' },
    ]);
  });

  it('voice_id speaks the language where one of the two changes', async () => {
    const errors = { voice_id: [selected('voice_id')] };
    await refused({ voice_id: SPEAKS_GERMAN }, errors);
    await taken({ voice_id: SPEAKS_GERMAN, language: 'German' }, { voice_id: SPEAKS_GERMAN, language_id: 3 });
    expect(await update({ language: 'English' })).toEqual([422, { message: 'Validation failed', errors }]);
    await database().query('UPDATE assistants SET language_id = 1 WHERE id = $1', [id]);
    expect(
      await update({ assistant_name: 'Stored', voice_id: SPEAKS_GERMAN, language: 'English' }),
    ).toMatchObject([200, {}]);
    expect(await update({ language: 'French' })).toEqual([422, { message: 'Validation failed', errors }]);
    expect(await update({ language: 'French', voice_id: 1 })).toMatchObject([200, {}]);
  });

  it('are used in the call: a pair of voice and language that does not fit, and a sound', async () => {
    await update({ voice_id: SPEAKS_GERMAN, language: 'German', ambient_sound: 'cafe', speech_speed: 1 });
    await database().query('UPDATE assistants SET language_id = 1 WHERE id = $1', [id]);
    const listed = (call: object) => (call as { settings_not_applied: string[] }).settings_not_applied;
    const call = await callWhen(user, await aCall(user, id), (record) => listed(record).length > 0);
    expect(listed(call)).toEqual(expect.arrayContaining(['voice_id', 'ambient_sound']));
  });
});
