import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inJournal } from '../../tooling/faults/conversations/in-journal.js';
import { isJudgedByWords } from '../../tooling/faults/verifiers/multimodal.js';
import type { JournalEntry } from '../../tooling/sandbox/journal.js';
import type { HeardCall } from '../support/heard-call.js';
import { expectGoesOn, PROVIDERS, SpeechBench } from '../support/speech-bench.js';

const FLAWS = ['', '+late', '+no-finals', '+breaks', '+stalls'];
/** Of the sandbox, each with what is wrong with it. */
const NOVA = FLAWS.map((flaw) => `nova-3${flaw}`);
const FLUX = FLAWS.map((flaw) => `flux-general-en${flaw}`);
const BUSY_NOVA = 'nova-3+busy';
const BUSY_MODEL = 'gpt-4.1-mini+busy';
/** In the catalogue. */
const FIRST_ID = 1_101;
const idOf = (recogniser: string): number => FIRST_ID + [...NOVA, ...FLUX, BUSY_NOVA].indexOf(recogniser);
/** Heard while the model is asked again. */
const FILLERS = ['One moment, please.', 'I am still working on it.'];
/** What the callee says when nobody answers. */
const UNANSWERED = 'Hello? Are you still there?';

let bench: SpeechBench;

beforeAll(async () => {
  bench = await SpeechBench.start();
  const { db } = bench.carrier;
  await db.query(`INSERT INTO language_models (id, name, mode) VALUES ($1, $2, 'pipeline')`, [
    FIRST_ID,
    BUSY_MODEL,
  ]);
  // At the endpoint of the language model.
  for (const name of [...NOVA, ...FLUX, BUSY_NOVA])
    await db.query(
      `INSERT INTO speech_providers (id, name, kind, adapter, code) VALUES ($1, $2, 'transcriber', $3, $2)`,
      [idOf(name), name, name.startsWith('flux') ? 'deepgram-flux' : 'deepgram'],
    );
});
afterAll(() => bench.stop());

/** At once: a call takes as long as people speak. @param kinds fields of the assistant of each call, by its name */
async function callsOf(kinds: Record<string, object>): Promise<Map<string, Promise<HeardCall>>> {
  const calls = Object.entries(kinds).map(
    ([name, fields]) => [name, bench.call('0020', { allow_interruptions: false, ...fields })] as const,
  );
  await Promise.allSettled(calls.map(([, call]) => call));
  return new Map(calls);
}

const recognisedBy = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { transcriber_provider_id: idOf(name) }]));

const linesOf = ({ transcript }: HeardCall, who: string): string[] =>
  transcript.split('\n').flatMap((line) => (line.startsWith(`${who}: `) ? [line.slice(who.length + 2)] : []));

const saidIn = ({ journal }: HeardCall): string[] =>
  journal.flatMap((entry) => (entry.who === 'callee' ? [String(Reflect.get(entry, 'text'))] : []));

const wordsOf = (texts: readonly string[]): string[] => texts.join(' ').split(/\s+/);

/** The least number of words that are missing, added or others. */
function wordsOff(said: readonly string[], stored: readonly string[]): number {
  const first = Array.from({ length: said.length + 1 }, (_, index) => index);
  const last = stored.reduce(
    (row, word) =>
      said.reduce(
        (next, wanted, index) => {
          const changed = (row[index] ?? 0) + (word === wanted ? 0 : 1);
          return [...next, Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1)];
        },
        [(row[0] ?? 0) + 1],
      ),
    first,
  );
  return last.at(-1) ?? 0;
}

/** A machine that is too busy cuts the customer's sentences. */
const isJudged = ({ journal }: HeardCall): boolean =>
  isJudgedByWords(inJournal(journal as unknown as JournalEntry[]));

/** The customer never has to ask, and of what is stored of an utterance at most one word is another one. */
function expectUnderstood(heard: HeardCall): void {
  const said = saidIn(heard);
  const stored = linesOf(heard, 'Customer');
  expect(said.length).toBeGreaterThan(3);
  expect(said).not.toContain(UNANSWERED);
  expect(heard.call['ended_reason']).toBe('goodbye');
  if (isJudged(heard)) expect(wordsOff(wordsOf(said), wordsOf(stored))).toBeLessThanOrEqual(stored.length);
}

/** Each utterance has one answer. */
function expectAnsweredOnce(heard: HeardCall): void {
  const [, ...answers] = linesOf(heard, 'AI').filter((line) => !FILLERS.includes(line));
  if (isJudged(heard)) expect(answers).toHaveLength(saidIn(heard).length);
}

/** The recogniser was kept, too. */
function expectGood(heard: HeardCall): void {
  expectUnderstood(heard);
  expectAnsweredOnce(heard);
  expect(heard.journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
  expect(heard.call['provider_failures']).toEqual([]);
  for (const setting of PROVIDERS) expect(heard.call['settings_not_applied']).not.toContain(setting);
}

describe('with Nova', () => {
  let calls: Map<string, Promise<HeardCall>>;
  beforeAll(async () => {
    calls = await callsOf(recognisedBy([...NOVA, BUSY_NOVA]));
  });

  it.each(NOVA)('stores what is said, and answers it once (%s)', async (name) => {
    expectGood((await calls.get(name)) as HeardCall);
  });

  it('continues with the speech of the carrier where all sockets are refused, and reports it', async () => {
    const heard = (await calls.get(BUSY_NOVA)) as HeardCall;
    expectUnderstood(heard);
    expectGoesOn(heard);
    expect(heard.call['provider_failures']).toMatchObject([
      { kind: 'transcriber', provider: BUSY_NOVA, reason: 'The transcription was refused: 429' },
    ]);
  });
});

describe('with Flux', () => {
  let calls: Map<string, Promise<HeardCall>>;
  beforeAll(async () => {
    calls = await callsOf({ ...recognisedBy(FLUX), [BUSY_MODEL]: { llm_model: BUSY_MODEL } });
  });

  it.each(FLUX)('stores what is said, and answers it once (%s)', async (name) => {
    expectGood((await calls.get(name)) as HeardCall);
  });

  it('answers everything once where the model refuses the first request for each answer', async () => {
    const heard = (await calls.get(BUSY_MODEL)) as HeardCall;
    expectUnderstood(heard);
    expectAnsweredOnce(heard);
  });
});
