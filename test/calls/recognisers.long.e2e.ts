import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HeardCall } from '../support/heard-call.js';
import { expectGoesOn, PROVIDERS, SpeechBench } from '../support/speech-bench.js';

/** Of the sandbox; each with its adapter and what is wrong with it. */
const NOVA = ['', '+late', '+no-finals', '+breaks', '+stalls', '+busy'].map((flaw) => `nova-3${flaw}`);
const FLUX = ['', '+late', '+no-finals', '+breaks', '+stalls'].map((flaw) => `flux-general-en${flaw}`);
const BUSY_RECOGNISER = 'nova-3+busy';
const BUSY_MODEL = 'gpt-4.1-mini+busy';
/** In the catalogue. */
const FIRST_ID = 1_101;
const QUIET = { allow_interruptions: false };
/** Heard while the model is asked again. */
const FILLER = 'One moment, please.';
/** What the callee says when nobody answers. */
const UNANSWERED = 'Hello? Are you still there?';

let bench: SpeechBench;
const calls = new Map<string, Promise<HeardCall>>();
const heardOf = (name: string): Promise<HeardCall> => calls.get(name) ?? Promise.reject(new Error(name));

// All at once: a call takes as long as people speak.
beforeAll(async () => {
  bench = await SpeechBench.start();
  const { db } = bench.carrier;
  await db.query(`INSERT INTO language_models (id, name, mode) VALUES ($1, $2, 'pipeline')`, [
    FIRST_ID,
    BUSY_MODEL,
  ]);
  for (const [index, name] of [...NOVA, ...FLUX].entries()) {
    const adapter = NOVA.includes(name) ? 'deepgram' : 'deepgram-flux';
    await db.query(
      `INSERT INTO speech_providers (id, name, kind, adapter, code, endpoint)
            VALUES ($1, $2, 'transcriber', $3, $2, 'deepgram')`,
      [FIRST_ID + index, name, adapter],
    );
  }
  for (const [index, name] of [...NOVA, ...FLUX].entries())
    calls.set(name, bench.call('0020', { ...QUIET, transcriber_provider_id: FIRST_ID + index }));
  calls.set(BUSY_MODEL, bench.call('0020', { ...QUIET, llm_model: BUSY_MODEL }));
  await Promise.allSettled(calls.values());
});
afterAll(() => bench.stop());

const linesOf = ({ transcript }: HeardCall, who: string): string[] =>
  transcript.split('\n').flatMap((line) => (line.startsWith(`${who}: `) ? [line.slice(who.length + 2)] : []));

const saidIn = ({ journal }: HeardCall): string[] =>
  journal.flatMap((entry) => (entry.who === 'callee' ? [String(Reflect.get(entry, 'text'))] : []));

const wordsOf = (texts: readonly string[]): string[] => texts.join(' ').split(/\s+/);

/** The least number of words that are missing, added or others. */
function wordsOff(said: readonly string[], stored: readonly string[]): number {
  const distances = stored.reduce(
    (row, word) =>
      said.reduce(
        (next, wanted, index) => {
          const changed = (row[index] ?? 0) + (word === wanted ? 0 : 1);
          return [...next, Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1)];
        },
        [(row[0] ?? 0) + 1],
      ),
    Array.from({ length: said.length + 1 }, (_, index) => index),
  );
  return distances.at(-1) ?? 0;
}

/** At most one word of an utterance is stored wrongly; each has one answer, and the last one is a goodbye. */
function expectUnderstood(heard: HeardCall): void {
  const said = saidIn(heard);
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(said).not.toContain(UNANSWERED);
  expect(said.length).toBeGreaterThan(3);
  expect(wordsOff(wordsOf(said), wordsOf(linesOf(heard, 'Customer')))).toBeLessThanOrEqual(said.length);
  const [, ...answers] = linesOf(heard, 'AI').filter((line) => line !== FILLER);
  expect(answers).toHaveLength(said.length);
}

describe('a call whose customer is understood by', () => {
  it.each([...NOVA, ...FLUX].filter((name) => name !== BUSY_RECOGNISER))(
    '%s stores what was said, and answers each utterance once',
    async (name) => {
      const heard = await heardOf(name);
      expectUnderstood(heard);
      expect(heard.journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
      expect(heard.call['provider_failures']).toEqual([]);
      for (const setting of PROVIDERS) expect(heard.call['settings_not_applied']).not.toContain(setting);
    },
  );

  it('a recogniser that refuses all sockets continues with the speech of the carrier, and reports it', async () => {
    const heard = await heardOf(BUSY_RECOGNISER);
    expectGoesOn(heard);
    expectUnderstood(heard);
    expect(heard.call['provider_failures']).toMatchObject([
      { kind: 'transcriber', provider: BUSY_RECOGNISER, reason: 'The transcription was refused: 429' },
    ]);
  });
});

it('answers each utterance where the model refuses the first request for each answer', async () => {
  expectUnderstood(await heardOf(BUSY_MODEL));
});
