import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toneSpeech } from '../../tooling/sandbox/speech/tones.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { heardCall, type HeardCall } from '../support/heard-call.js';
import { PROVIDERS } from '../support/speech-bench.js';

const NOTICE = 'You are speaking with an automated assistant.';
const RACHEL = '21m00Tcm4TlvDq8ikWAM';
const KATIE = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';
/** Of the catalogue. */
const THALIA = 51;
const AURA = 6;
const FLUX = 7;
/** Added to it: speakers that fail in the middle of every sentence, and a voice of each. */
const DIES = { provider: 1_001, voice: 1_011 };
const FALLS_SILENT = { provider: 1_002, voice: 1_012 };
const DIES_TOO = { provider: 1_003, voice: 1_013 };
/** A listener that cannot be reached, before Flux. */
const DEAF = 1_004;
const LIMIT_MS = 3_000;
/** For each started minute: of the plan, and of the carrier to this number. */
const MINUTE = 0.05 + 0.014;
const BALANCE = 100;

interface Synthesis {
  at: number;
  model: string;
  voice: string;
  text: string;
}
let bench: CarrierBench;
let sandboxUrl: string;

beforeAll(async () => {
  bench = await CarrierBench.start(undefined, 1.5);
  const { LLM_BASE_URL = '', LLM_API_KEY: api_key } = bench.commandEnv;
  sandboxUrl = LLM_BASE_URL.replace(/\/v1$/, '');
  const [own, versioned] = [sandboxUrl, LLM_BASE_URL].map((base_url) => ({ base_url, api_key }));
  const away = { base_url: 'http://127.0.0.1:1/v1', api_key };
  await bench.db.query(
    `INSERT INTO speech_providers (id, name, kind, adapter, code, endpoint, default_voice)
          VALUES (${DIES.provider}, 'Dies', 'synthesizer', 'elevenlabs', 'eleven_flash_v2_5+breaks', 'elevenlabs', $1),
                 (${FALLS_SILENT.provider}, 'Falls silent', 'synthesizer', 'cartesia', 'sonic-3.5+stalls', 'cartesia', $2),
                 (${DIES_TOO.provider}, 'Dies too', 'synthesizer', 'cartesia', 'sonic-3.5+breaks', 'cartesia', $2)`,
    [RACHEL, KATIE],
  );
  await bench.db.query(
    `INSERT INTO voices (id, name, mode, gender, provider, provider_voice)
          VALUES (${FALLS_SILENT.voice}, 'Quiet', 'pipeline', 'female', 'Falls silent', $1),
                 (${DIES_TOO.voice}, 'Short', 'pipeline', 'female', 'Dies too', $1)`,
    [KATIE],
  );
  await bench.db.query(
    `INSERT INTO speech_providers (id, name, kind, adapter, code, endpoint, fallback_provider_id)
          VALUES (${DEAF}, 'Deaf', 'transcriber', 'openai', 'whisper-1', 'away', ${FLUX})`,
  );
  await bench.restart('stop', {
    VOICE_DETECTION: 'energy',
    SPEECH_ENDPOINTS: JSON.stringify({ elevenlabs: versioned, cartesia: own, deepgram: versioned, away }),
  });
});
afterAll(() => bench.stop());

async function call(
  fallback_voice_ids: number[],
  changes: Record<string, unknown> = {},
): Promise<{ heard: HeardCall; syntheses: Synthesis[]; paid: number }> {
  const before = (await synthesesOf()).length;
  const user = await anAccount({ service: bench, balance: BALANCE });
  const assistant = await anAssistant(user, {
    initial_message: 'Hello, this is Ada.',
    synthesizer_provider_id: DIES.provider,
    transcriber_provider_id: FLUX,
    fallback_voice_ids,
    endpoint_type: 'ai',
    allow_interruptions: false,
    max_call_duration: 1_200,
    post_call_evaluation: false,
    ...changes,
  });
  const id = await aCall(user, assistant, { phoneNumber: '+15005550020' });
  const heard = await heardCall(bench, user, id);
  const { body: me } = await user.client.get<{ total_balance: number }>('/user/me');
  return { heard, syntheses: (await synthesesOf()).slice(before), paid: BALANCE - me.total_balance };
}

/** Providers that spoke, also those that failed, are charged to nobody. */
function expectPrice({ call: { duration, total_cost } }: HeardCall, paid: number): void {
  const price = Math.ceil(Number(duration) / 60) * MINUTE;
  expect(total_cost).toBeCloseTo(price, 6);
  expect(paid).toBeCloseTo(price, 6);
}

const synthesesOf = async (): Promise<Synthesis[]> =>
  (await (await fetch(`${sandboxUrl}/syntheses`)).json()) as Synthesis[];

it('completes a sentence in a third voice when two voices fail in it, names both, and charges neither', async () => {
  const { heard, syntheses, paid } = await call([FALLS_SILENT.voice, THALIA]);
  // A voice that fails is asked once for the rest.
  const [first, again, second, third, ...others] = syntheses;
  expect([first, again, second].map((one) => one?.model)).toEqual([
    'eleven_flash_v2_5+breaks',
    'eleven_flash_v2_5+breaks',
    'sonic-3.5+stalls',
  ]);
  expect([third?.model, ...others.map(({ model }) => model)]).toEqual(
    Array.from({ length: others.length + 1 }, () => 'aura-2-thalia-en'),
  );
  expect([
    first?.text.trim(),
    ...[again, second, third].map((one) => NOTICE.endsWith(one?.text.trim() || '-')),
  ]).toEqual([NOTICE, true, true, true]);
  // What they said of the sentence was heard meanwhile: half of what each was asked for.
  const spokenMs = [first, again, second].reduce(
    (ms, one) => ms + toneSpeech(one?.text ?? '', 8_000).length / 16,
    0,
  );
  const waitedMs = Math.round((third?.at ?? Infinity) - (second?.at ?? 0) - spokenMs);
  process.stdout.write(`The third voice was asked ${waitedMs} ms after the second one was heard.\n`);
  expect(waitedMs).toBeLessThan(LIMIT_MS);
  const spoken = heard.journal.flatMap((entry) =>
    entry.who === 'assistant' ? [String(Reflect.get(entry, 'text'))] : [],
  );
  expect(spoken.join(' ')).toContain(`${third?.text} Hello, this is Ada.`);
  expect(heard.transcript).toMatch(
    /^AI: You are speaking with an automated assistant\. Hello, this is Ada\./,
  );
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(heard.call['provider_failures']).toMatchObject([
    { kind: 'synthesizer', provider: 'Dies', voice: RACHEL, reason: expect.stringContaining('closed') },
    {
      kind: 'synthesizer',
      provider: 'Falls silent',
      voice: KATIE,
      reason: expect.stringMatching(/late|silent/),
    },
  ]);
  expect(heard.call['settings_not_applied']).toContain('voice_id');
  for (const setting of [...PROVIDERS, 'endpoint_type'])
    expect(heard.call['settings_not_applied']).not.toContain(setting);
  expectPrice(heard, paid);
});

it('continues with the voice of the carrier, without losing text, when no other is left', async () => {
  const { heard, syntheses, paid } = await call([DIES_TOO.voice]);
  expect(syntheses.map(({ model }) => model)).toEqual([
    'eleven_flash_v2_5+breaks',
    'eleven_flash_v2_5+breaks',
    'sonic-3.5+breaks',
  ]);
  expect(heard.call['provider_failures']).toMatchObject([{ provider: 'Dies' }, { provider: 'Dies too' }]);
  expect(heard.call['settings_not_applied']).toEqual(expect.arrayContaining(PROVIDERS));
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(heard.transcript.split('this is Ada.')).toHaveLength(2);
  expectPrice(heard, paid);
});

it('listens with the next provider when the first one fails, and does not start again', async () => {
  const providers = { synthesizer_provider_id: AURA, transcriber_provider_id: DEAF };
  const { heard } = await call([], { ...providers, voice_id: THALIA });
  expect(heard.call['provider_failures']).toMatchObject([
    { kind: 'transcriber', provider: 'Deaf', voice: null },
  ]);
  for (const setting of [...PROVIDERS, 'voice_id'])
    expect(heard.call['settings_not_applied']).not.toContain(setting);
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(heard.transcript).toContain('Customer: ');
  expect(heard.transcript.split('this is Ada.')).toHaveLength(2);
});
