import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { assistantBody } from '../factories/assistant.js';
import { Client } from '../support/client.js';

interface Voice {
  id: number;
  mode: string;
  language_id: number | null;
}

describe('catalogue', () => {
  let one: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it.each(['models', 'languages', 'voices'])(
    'lists %s to every user, and returns 401 without a token',
    async (list) => {
      const [mine, theirs] = await Promise.all([
        one.client.get<object[]>(`/user/assistants/${list}`),
        other.client.get<object[]>(`/user/assistants/${list}`),
      ]);
      expect(mine.status).toBe(200);
      expect(mine.body.length).toBeGreaterThan(5);
      expect(theirs.text).toBe(mine.text);
      const { status, body } = await new Client(null).get(`/user/assistants/${list}`);
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
    },
  );

  it('has exactly the documented fields', async () => {
    const [models, languages, voices] = await Promise.all([
      one.client.get<object[]>('/user/assistants/models'),
      one.client.get<object[]>('/user/assistants/languages'),
      one.client.get<object[]>('/user/assistants/voices'),
    ]);
    expect(models.body[0]).toEqual({ id: 11, name: 'gpt-6-luna' });
    expect(models.body).toContainEqual(
      expect.objectContaining({
        id: 1,
        name: 'gpt-4.1-mini',
        retires_on: '2027-01-14',
        replaced_by: 'gpt-6-luna',
      }),
    );
    expect(languages.body).toContainEqual({ id: 3, name: 'German', iso_2: 'de' });
    expect(voices.body).toContainEqual({
      id: 22,
      name: 'Amy',
      mode: 'pipeline',
      language_id: 2,
      gender: 'female',
      accent: 'British',
      preview_url: null,
    });
  });

  it('lists only models that an assistant of every mode can name; the others on request', async () => {
    const models = await one.client.get<{ name: string }[]>('/user/assistants/models');
    for (const { name } of models.body) {
      const { status } = await one.client.post('/user/assistant', assistantBody({ llm_model: name }));
      expect([name, status]).toEqual([name, 201]);
    }
    const multimodal = await one.client.get<{ name: string }[]>('/user/assistants/models?type=multimodal');
    expect(multimodal.body.map(({ name }) => name)).toEqual([
      'gpt-realtime-2.1',
      'gpt-realtime-2.1-mini',
      'gpt-realtime',
      'gpt-realtime-mini',
    ]);
    expect(models.body).not.toContainEqual(expect.objectContaining({ name: 'gpt-realtime' }));
  });

  it('filters voices by mode and by language, with those that speak every language', async () => {
    const { body: all } = await one.client.get<Voice[]>('/user/assistants/voices');
    const { body: german } = await one.client.get<Voice[]>(
      '/user/assistants/voices?mode=pipeline&language_id=3',
    );
    expect(german).toEqual(
      all.filter(
        (voice) => voice.mode === 'pipeline' && (voice.language_id === null || voice.language_id === 3),
      ),
    );
    expect(german.map(({ language_id }) => language_id)).toEqual(expect.arrayContaining([null, 3]));
    const { body: multimodal } = await one.client.get<Voice[]>('/user/assistants/voices?mode=multimodal');
    expect(multimodal).toEqual(all.filter(({ mode }) => mode === 'multimodal'));
    const { body: unknown } = await one.client.get<Voice[]>('/user/assistants/voices?language_id=9999');
    expect(unknown).toEqual([]);
  });

  it.each([
    ['models?type=both', { type: ['The selected type is invalid.'] }],
    ['voices?language_id=abc', { language_id: ['The language id field must be an integer.'] }],
  ])('refuses %s', async (path, errors) => {
    const { status, body } = await one.client.get(`/user/assistants/${path}`);
    expect([status, body]).toEqual([422, { message: 'Validation failed', errors }]);
  });

  it.each([
    [
      'synthesizer-providers',
      [
        { id: 1, name: 'OpenAI', code: 'gpt-4o-mini-tts' },
        { id: 4, name: 'ElevenLabs', code: 'eleven_flash_v2_5' },
        { id: 5, name: 'Cartesia', code: 'sonic-3.5' },
        { id: 6, name: 'Deepgram', code: 'aura-2' },
      ],
    ],
    [
      'transcriber-providers',
      [
        { id: 2, name: 'OpenAI', code: 'gpt-transcribe' },
        { id: 3, name: 'Deepgram', code: 'nova-3' },
        { id: 7, name: 'Deepgram Flux', code: 'flux-general-en' },
        { id: 8, name: 'Deepgram Flux multilingual', code: 'flux-general-multi' },
      ],
    ],
  ])('lists %s, which support every language', async (path, providers) => {
    for (const [query, expected] of [
      ['', providers],
      ['?language_id=1', providers],
      ['?language_id=9999', []],
    ] as const) {
      const { status, body } = await one.client.get(`/user/assistants/${path}${query}`);
      expect([status, body]).toEqual([200, expected]);
    }
    const { status } = await one.client.get(`/user/assistants/${path}?language_id=x`);
    expect(status).toBe(422);
  });
});
