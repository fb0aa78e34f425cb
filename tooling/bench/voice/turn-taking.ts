import { above, below, noted, type Finding } from '../support/findings.js';
import { openDatabase } from '../support/database.js';
import { positive } from '../support/pace.js';
import { median, quantile } from '../support/stats.js';
import { MAX_OVERLAP_MS, type MeasuredCall } from './lively-calls.js';
import { callsOn, LINES } from './lines.js';
import { wordDifferences } from './word-differences.js';

/** Calls on each line. */
const CALLS = positive('BENCH_TURN_CALLS', 100);
/** The carrier played audio later than this: the machine was too busy, and the call is not counted. */
export const MAX_LATE_MS = 300;

const TARGETS = { yieldMs: 800, ignored: 85, yielded: 95, responded: 98, wordsOff: 2 };

/**
 * Turn-taking in calls with a lively customer of the sandbox, whose words are known 0.3 to 1.5 s after each utterance:
 * by the carrier's record of who was audible when.
 */
export async function measureTurnTaking(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    // The sandbox's speech is no voice to the model.
    const round = { calls: CALLS, env: { VOICE_DETECTION: 'energy' } };
    for (const [name, line] of Object.entries(LINES))
      findings.push(...findingsOf(name, await callsOn(database, name, line, round)));
    return findings;
  } finally {
    await database.close();
  }
}

const percent = <T>(values: readonly T[], isWanted: (value: T) => boolean): number =>
  values.length === 0 ? NaN : (values.filter(isWanted).length * 100) / values.length;
const isTrue = (value: boolean): boolean => value;
const isKnown = (value: number | null): value is number => value !== null;

function findingsOf(line: string, all: readonly MeasuredCall[]): Finding[] {
  const calls = all.filter(({ lateMs }) => lateMs <= MAX_LATE_MS);
  const responses = calls.flatMap((call) => call.responses);
  const yields = calls.flatMap((call) => call.yields);
  const latencies = responses.filter(isKnown);
  const yieldTimes = yields.filter(isKnown);
  const overlaps = calls.flatMap((call) => call.overlaps);
  const assistant = calls.map(({ said, stored }) => wordDifferences(said.assistant, stored.assistant));
  const customer = calls.map(({ said, stored }) => wordDifferences(said.customer, stored.customer));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const turns = sum(calls.map((call) => call.turns));
  const talkedOver = overlaps.filter((ms) => ms > MAX_OVERLAP_MS).length;
  const claimed = sum(assistant.map(({ added }) => added));
  const off = sum([...assistant, ...customer].map(({ missing, added }) => missing + added));
  return [
    noted(`${line}: calls counted of ${all.length}`, '', calls.length),
    noted(`${line}: response after the end of a turn, p50`, 'ms', median(latencies)),
    noted(`${line}: response after the end of a turn, p95`, 'ms', quantile(latencies, 0.95)),
    above(`${line}: turns answered within 5 s`, '%', TARGETS.responded, percent(responses, isKnown)),
    below(`${line}: yield to an interruption, p50`, 'ms', TARGETS.yieldMs, median(yieldTimes)),
    noted(`${line}: yield to an interruption, p95`, 'ms', quantile(yieldTimes, 0.95)),
    above(`${line}: interruptions yielded to within 3 s`, '%', TARGETS.yielded, percent(yields, isKnown)),
    above(
      `${line}: backchannels ignored`,
      '%',
      TARGETS.ignored,
      percent(
        calls.flatMap((call) => call.backchannels),
        isTrue,
      ),
    ),
    above(
      `${line}: coughs ignored`,
      '%',
      TARGETS.ignored,
      percent(
        calls.flatMap((call) => call.coughs),
        isTrue,
      ),
    ),
    below(`${line}: utterances talked over for more than 200 ms`, '', 0, talkedOver),
    noted(`${line}: the same for each turn of the customer`, '', talkedOver / overlaps.length),
    below(`${line}: words stored that were not heard`, '', 0, claimed),
    below(`${line}: words off for each 100 turns`, '', TARGETS.wordsOff, (off * 100) / turns),
    noted(`${line}: customer's words not stored`, '', sum(customer.map(({ missing }) => missing))),
  ];
}
