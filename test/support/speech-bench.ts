import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from './carrier-bench.js';
import { FlakySpeech } from './flaky-speech.js';
import { heardCall, problemsOf, type HeardCall } from './heard-call.js';

/** Settings that name the providers, as `settings_not_applied` does. */
export const PROVIDERS = ['synthesizer_provider_id', 'transcriber_provider_id'];
/** Of the catalogue: OpenAI for both, at the endpoint of the language model. */
const SPEECH = { synthesizer_provider_id: 1, transcriber_provider_id: 2 };
/** Ids in the catalogue of providers that fail, and where. */
export const FLAWED = {
  refuses: { synthesizer_provider_id: 1_001, transcriber_provider_id: 1_002 },
  'stops-speaking': { synthesizer_provider_id: 1_003, transcriber_provider_id: 1_004 },
  'stops-hearing': { synthesizer_provider_id: 1_005, transcriber_provider_id: 1_006 },
};
const FLAWS = {
  refuses: { path: '/audio/speech', after: 0, status: 401 },
  'stops-speaking': { path: '/audio/speech', after: 3, status: 500 },
  'stops-hearing': { path: '/audio/transcriptions', after: 1, status: 500 },
} as const;
/** Of the callees; the assistant's voice takes the time of a voice. */
const SPEED = 1.5;
/** Of the voice, which is tones. */
export const TONES = { charactersAtCut: 2 };

/** A service with speech providers, some of which fail, and without the optional model of voice detection. */
export class SpeechBench {
  private constructor(
    readonly carrier: CarrierBench,
    private readonly flaky: FlakySpeech,
  ) {}

  static async start(): Promise<SpeechBench> {
    const flaky = await FlakySpeech.start(FLAWS);
    const endpoints = Object.keys(FLAWS).map((name) => [
      name,
      { base_url: flaky.urlOf(name), api_key: 'key' },
    ]);
    const carrier = await CarrierBench.start(undefined, SPEED, {
      SPEECH_ENDPOINTS: JSON.stringify(Object.fromEntries(endpoints)),
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      VOICE_DETECTION: 'model',
      NODE_OPTIONS: `--import=${pathToFileURL(join('test', 'support', 'hide-voice-model.mjs')).href}`,
    });
    flaky.forwardTo(carrier.commandEnv['LLM_BASE_URL'] ?? '', carrier.commandEnv['LLM_API_KEY'] ?? '');
    for (const [name, ids] of Object.entries(FLAWED)) {
      await carrier.db.query(
        `INSERT INTO speech_providers (id, name, kind, adapter, code, endpoint, default_voice)
              VALUES ($1, $3, 'synthesizer', 'openai', 'tts-1', $3, 'alloy'),
                     ($2, $3, 'transcriber', 'openai', 'whisper-1', $3, NULL)`,
        [ids.synthesizer_provider_id, ids.transcriber_provider_id, name],
      );
    }
    return new SpeechBench(carrier, flaky);
  }

  async stop(): Promise<void> {
    await this.carrier.stop();
    this.flaky.stop();
  }

  /** A call to its end. @param prepare more fields of the assistant @param meanwhile what happens to the call */
  async call(
    callee: string,
    changes: Record<string, unknown> = {},
    prepare: (user: TestAccount) => Promise<object> = async () => ({}),
    meanwhile: (id: number) => Promise<void> = async () => undefined,
  ): Promise<HeardCall> {
    const user = await anAccount({ service: this.carrier });
    const first = {
      initial_message: 'Hello, this is Ada.',
      // A busy machine takes its time; no call is ended for that.
      max_call_duration: 1_200,
      post_call_evaluation: false,
    };
    const fields = { ...first, ...SPEECH, ...changes, ...(await prepare(user)) };
    const id = await aCall(user, await anAssistant(user, fields), { phoneNumber: `+1500555${callee}` });
    await meanwhile(id);
    return heardCall(this.carrier, user, id);
  }
}

/** Both sides' ears against the record; the call was not given up to the carrier's speech. */
export function expectHeardAndStored(heard: HeardCall): void {
  expect(heard.journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
  expect(problemsOf(heard, TONES)).toEqual([]);
  for (const setting of PROVIDERS) expect(heard.call['settings_not_applied']).not.toContain(setting);
}

/** The carrier spoke from some moment on, nothing was said twice, and the record says so. */
export function expectGoesOn(heard: HeardCall): void {
  const { transcript, call } = heard;
  expect(call['settings_not_applied']).toEqual(expect.arrayContaining(PROVIDERS));
  expect(call['ended_reason']).toBe('goodbye');
  expect(problemsOf(heard, TONES)).toEqual([]);
  for (const once of ['You are speaking with an automated assistant.', 'this is Ada.'])
    expect(transcript.split(once)).toHaveLength(2);
}
