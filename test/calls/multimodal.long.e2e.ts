import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { heardCall, problemsOf, type HeardCall } from '../support/heard-call.js';
import { journalWords, MULTIMODAL, transcriptWords } from '../support/multimodal-call.js';
import { until } from '../support/until.js';
import { GREETING } from '../support/spoken-call.js';

const QUIET = { allow_interruptions: false };
const ROBIN = { name: 'Workshop', phone_number: '+15005550041', description: 'For repairs.' };
const BUSY = { ...ROBIN, phone_number: '+15005550003' };

/** Ids of the catalogue and the codes of models that behave so in the sandbox. */
const BROKEN_MODELS = [
  { id: 901, name: 'refuses' },
  { id: 902, name: 'fails' },
  { id: 903, name: 'breaks' },
];
/** The same, of models with which a call stays in its mode. */
const FLAWED_MODELS = [
  { id: 904, name: 'limited' },
  { id: 905, name: 'stalls' },
  { id: 906, name: 'breaks-off' },
  { id: 907, name: 'rewords' },
  { id: 908, name: 'loses-words' },
];

let bench: CarrierBench;

/** A call at the speed of people, to its end. @param meanwhile what happens to it */
async function aMultimodalCall(
  callee: string,
  changes: Record<string, unknown> = {},
  meanwhile: (id: number) => Promise<void> = async () => undefined,
): Promise<HeardCall> {
  const user = await anAccount({ service: bench });
  const fields = { ...MULTIMODAL, initial_message: GREETING, max_call_duration: 60, ...changes };
  const assistant = await anAssistant(user, { ...fields, post_call_evaluation: false });
  const id = await aCall(user, assistant, { phoneNumber: `+1500555${callee}` });
  await meanwhile(id);
  return heardCall(bench, user, id);
}

describe('a call of a multimodal assistant', () => {
  const calls = new Map<string, Promise<HeardCall>>();
  const heardOf = (name: string): Promise<HeardCall> => calls.get(name) ?? Promise.reject(new Error(name));

  // At once, because a call takes as long as people speak, but for the two whose interruptions are compared to the word:
  // a machine that begins many calls plays their first audio later than the service can know.
  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 1);
    for (const { id, name } of [...BROKEN_MODELS, ...FLAWED_MODELS]) {
      await bench.db.query(
        `INSERT INTO language_models (id, name, mode, code, takes_temperature, output_limit_field, fallback_model_id)
              VALUES ($1, $2, 'multimodal', $3, true, 'max_tokens', 1)`,
        [id, name, `gpt-realtime+${name}`],
      );
    }
    // The catalogue is read again.
    await bench.restart('stop');
    calls.set('polite', aMultimodalCall('0020'));
    calls.set('interrupting', aMultimodalCall('0021'));
    await Promise.allSettled(calls.values());
    calls.set('hanging up', aMultimodalCall('0023'));
    calls.set('handed over', aMultimodalCall('0040', { ...QUIET, transfer_numbers: [ROBIN] }));
    calls.set('not handed over', aMultimodalCall('0040', { ...QUIET, transfer_numbers: [BUSY] }));
    calls.set('message', aMultimodalCall('0052', { voice_mail_message: 'Please call Ada back.' }));
    calls.set('voicemail', aMultimodalCall('0005'));
    // Uninterrupted, so that greetings can be counted.
    for (const { name } of [...BROKEN_MODELS, ...FLAWED_MODELS])
      calls.set(name, aMultimodalCall('0020', { llm_model: name, allow_interruptions: false }));
    await Promise.allSettled(calls.values());
  });

  afterAll(() => bench.stop());

  it.each(['polite', 'interrupting'])('stores what a %s callee heard, to the word', async (callee) => {
    const heard = await heardOf(callee);
    expect(problemsOf(heard)).toEqual([]);
    expect(heard.call['settings_not_applied']).not.toContain('engine_type');
  });

  it('stores the heard disclosure of a call whose customer hangs up before its stream', async () => {
    const { transcript } = await heardOf('hanging up');
    expect(transcript).toBe('AI: You are speaking with an automated assistant.');
  });

  it('is transferred to a person', async () => {
    const { journal, transcript, call } = await heardOf('handed over');
    expect(call['ended_reason']).toBe('transferred');
    expect(call['transfers']).toEqual([
      expect.objectContaining({ to: ROBIN.phone_number, status: 'answered' }),
    ]);
    // What the customer and the person say to each other is theirs.
    const { assistant } = journalWords(journal);
    expect(assistant.slice(0, transcriptWords(transcript).assistant.length)).toBe(
      transcriptWords(transcript).assistant,
    );
  });

  it('returns with its model, and to the word, when no person answers the transfer', async () => {
    const heard = await heardOf('not handed over');
    const { transcript, call } = heard;
    expect(call['transfers']).toEqual([expect.objectContaining({ to: BUSY.phone_number, status: 'busy' })]);
    expect(call['settings_not_applied']).not.toContain('engine_type');
    expect(problemsOf(heard)).toEqual([]);
    expect(transcript.split('automated assistant.')).toHaveLength(2);
    expect(transcript.split('Do you have a minute?')).toHaveLength(2);
  });

  it('leaves its message on an answering machine, which is stored to the word', async () => {
    const heard = await heardOf('message');
    const { transcript, call } = heard;
    expect(call['ended_reason']).toBe('voicemail');
    expect(transcript.split('\n').at(-1)).toBe('AI: Please call Ada back.');
    expect(problemsOf(heard)).toEqual([]);
  });

  it('hangs up on an answering machine', async () => {
    const { call } = await heardOf('voicemail');
    expect([call['ended_reason'], call['answered_by']]).toEqual(['voicemail', 'machine']);
  });

  it('is interrupted in the middle of a sentence', async () => {
    const { journal } = await heardOf('interrupting');
    expect(journal.some((entry) => entry.kind === 'speech' && Reflect.get(entry, 'whole') === false)).toBe(
      true,
    );
  });

  it.each([
    ['cannot be reached', 'refuses'],
    ['fails in its first response', 'fails'],
    ['breaks off in the middle of the call', 'breaks'],
  ])('continues in pipeline mode when its model %s, and reports it', async (_case, model) => {
    const heard = await heardOf(model);
    const { transcript, call } = heard;
    expect(call['settings_not_applied']).toContain('engine_type');
    expect(call['ended_reason']).toBe('goodbye');
    expect(transcript).toContain('Goodbye');
    expect(problemsOf(heard)).toEqual([]);
    const notices = transcript.split('You are speaking with an automated assistant.').length - 1;
    const greetings = transcript.split('Do you have a minute?').length - 1;
    expect([notices, greetings]).toEqual([1, 1]);
  });

  it.each([
    ['fails once by a rate limit', 'limited'],
    ['stalls once in the middle of a response', 'stalls'],
    ['fails once in the middle of a response', 'breaks-off'],
    ['says given sentences in other words', 'rewords'],
  ])('stays in its mode, and stores what was heard, when its model %s', async (_case, model) => {
    const heard = await heardOf(model);
    const { call } = heard;
    expect(call['settings_not_applied']).not.toContain('engine_type');
    // The callee takes leave first where a question was repeated.
    expect(['goodbye', 'customer_hangup']).toContain(call['ended_reason']);
    expect(problemsOf(heard)).toEqual([]);
  });

  it('stores the greeting as its model said it', async () => {
    const { transcript } = await heardOf('rewords');
    expect(transcript).toContain('Certainly! ');
  });

  it('goes on when words of the customer are not transcribed', async () => {
    const { call, transcript, journal } = await heardOf('loses-words');
    expect(call['settings_not_applied']).not.toContain('engine_type');
    expect(call['ended_reason']).toBe('goodbye');
    expect(transcript).toContain('Customer: [not transcribed]');
    expect(transcriptWords(transcript).assistant).toBe(journalWords(journal).assistant);
  });
});

it('continues with its model after a kill in the middle of a speech', async () => {
  bench = await CarrierBench.start(undefined, 1);
  try {
    let killedAt: number | null = null;
    // Starting the service again takes most of a minute on a slow machine.
    const changes = { ...QUIET, max_call_duration: 600 };
    const heard = await aMultimodalCall('0020', changes, async (id) => {
      await until(async () => {
        const { rowCount } = await bench.db.query(
          `SELECT 1 FROM call_turns WHERE call_id = $1 AND role = 'assistant' AND (timings->>'heardTo')::int > 30
            OFFSET 1`,
          [id],
        );
        return rowCount === 1 ? true : null;
      });
      killedAt = Date.now();
      await bench.restart('kill');
    });
    const { transcript, call } = heard;
    expect(call['settings_not_applied']).not.toContain('engine_type');
    expect(call['ended_reason']).toBe('goodbye');
    expect(transcript.split('Do you have a minute?')).toHaveLength(2);
    expect(problemsOf(heard, { killedAt })).toEqual([]);
  } finally {
    await bench.stop();
  }
});
