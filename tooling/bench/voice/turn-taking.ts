import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import type { LineVoices } from '../../sandbox/carrier/line-voices.js';
import type { JournalEntry } from '../../sandbox/journal.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import { openDatabase, type BenchDatabase } from '../support/database.js';
import { above, below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median, quantile } from '../support/stats.js';
import { withVoiceService, type VoiceService } from '../support/voice-service.js';
import { type TurnEvents, turnEvents } from './turn-events.js';
import { type WordDifferences, wordDifferences } from './word-differences.js';

/** Calls on each line, and of them at once. */
const CALLS = positive('BENCH_TURN_CALLS', 100);
const AT_ONCE = positive('BENCH_TURN_CALLS_AT_ONCE', 10);
/** Number of lively customers, each with one call at a time. */
const CUSTOMERS = 100;
const numberOf = (index: number): string => `+150055554${String(index % CUSTOMERS).padStart(2, '0')}`;
const MAX_CALL_MS = 180_000;
const POLL_MS = 1_000;
/** The carrier played audio later than this: the machine was too busy, and the call is not counted. */
const MAX_LATE_MS = 300;

const MAX_OVERLAP_MS = 200;
const TARGETS = { yieldMs: 800, ignored: 85, yielded: 95, responded: 98, wordsOff: 2 };

/** Default settings of turn-taking. */
const PLAIN = {
  calls_direction: 'make',
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  interrupt_sensitivity: 0.5,
  speech_speed: 1,
  filler_audios: false,
  is_webhook_active: false,
  end_call_tool: null,
  max_call_duration: 120,
  initial_message: 'Hello, this is Ada of the restaurant at the harbour. How can I help you?',
};
const LINES = {
  multimodal: { engine_type: 'multimodal', llm_model: 'gpt-realtime-2.1', voice_id: 70 },
  providers: { synthesizer_provider_id: 1, transcriber_provider_id: 2 },
};

interface MeasuredCall extends TurnEvents {
  lateMs: number;
  said: { assistant: string; customer: string };
  stored: { assistant: string; customer: string };
  turns: number;
}

/**
 * Turn-taking in calls with a lively customer of the sandbox, whose words are known 0.3 to 1.5 s after each utterance:
 * by the carrier's record of who was audible when.
 */
export async function measureTurnTaking(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    for (const [line, fields] of Object.entries(LINES))
      findings.push(...findingsOf(line, await callsOn(database, line, { ...PLAIN, ...fields })));
    return findings;
  } finally {
    await database.close();
  }
}

async function callsOn(
  database: BenchDatabase,
  line: string,
  fields: Record<string, unknown>,
): Promise<MeasuredCall[]> {
  const secrets = { accountSid: SANDBOX_ACCOUNT_SID, authToken: SANDBOX_AUTH_TOKEN, apiKey: 'bench' };
  const sandbox = await startSandbox({ port: 0, ...secrets, speechConcurrency: CALLS });
  try {
    // The sandbox's speech is no voice to the model.
    const env = { VOICE_DETECTION: 'energy' };
    return await withVoiceService(
      database,
      sandbox.url,
      fields,
      async (voice) => {
        const calls: MeasuredCall[] = [];
        let begun = 0;
        const work = async (): Promise<void> => {
          while (begun < CALLS) {
            calls.push(await oneCall(database, voice, sandbox.url, numberOf(begun++)));
            say(`voice: ${line}, ${calls.length} of ${CALLS} calls`);
          }
        };
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, CALLS) }, work));
        return calls;
      },
      env,
    );
  } finally {
    await sandbox.close();
  }
}

interface CallRecord {
  status: string;
  transcript: string;
}

async function oneCall(
  { pool }: BenchDatabase,
  { service, headers, assistantId }: VoiceService,
  sandboxUrl: string,
  phoneNumber: string,
): Promise<MeasuredCall> {
  const body = JSON.stringify({ assistant_id: assistantId, phone_number: phoneNumber, variables: {} });
  const placed = await fetch(`${service.url}/api/user/make_call`, { method: 'POST', headers, body });
  if (!placed.ok) throw new Error(`the call was not placed: ${placed.status} ${await placed.text()}`);
  const { call_id: id } = (await placed.json()) as { call_id: number };
  const fetchJson = async <T>(url: string): Promise<T> =>
    (await fetch(url, { headers })).json() as Promise<T>;
  const end = Date.now() + MAX_CALL_MS;
  let call = await fetchJson<CallRecord>(`${service.url}/api/user/calls/${id}`);
  while (call.status !== 'completed' && Date.now() < end) {
    await sleep(POLL_MS);
    call = await fetchJson(`${service.url}/api/user/calls/${id}`);
  }
  const all = (await (await fetch(`${sandboxUrl}/journal`)).json()) as JournalEntry[];
  const { rows } = await pool.query<{ sid: string }>('SELECT carrier_sid AS sid FROM calls WHERE id = $1', [
    id,
  ]);
  return measured(
    call,
    all.filter((entry) => entry.sid === rows[0]?.sid),
  );
}

function measured({ transcript }: CallRecord, journal: readonly JournalEntry[]): MeasuredCall {
  const voices = journal.find(({ kind }) => kind === 'voices') as unknown as LineVoices | undefined;
  if (!voices) throw new Error('the call had no media stream');
  const speech = journal.filter(({ kind }) => kind === 'speech');
  const of = (who: string): string =>
    speech
      .filter((entry) => entry['who'] === who)
      .map(wholeWords)
      .join(' ');
  const stored = (label: string): string =>
    transcript
      .split('\n')
      .filter((line) => line.startsWith(`${label}: `))
      .map((line) => line.slice(label.length + 2))
      .join(' ');
  const call = {
    ...turnEvents(voices),
    lateMs: Math.max(0, ...journal.filter(({ kind }) => kind === 'stall').map(({ ms }) => Number(ms))),
    said: { assistant: of('assistant'), customer: of('callee') },
    stored: { assistant: stored('AI'), customer: stored('Customer') },
    turns: speech.length,
  };
  if (isFaulty(call))
    say(
      `voice: ${JSON.stringify({ ...call, voices: { callee: voices.callee, assistant: voices.assistant } })}`,
    );
  return call;
}

/** A word of which only a part was heard is not stored; whether the last one is whole is not known. */
function wholeWords({ text, whole }: JournalEntry): string {
  return whole === false ? `${String(text).trim()}…` : String(text);
}

/** Shown, so that a missed target can be explained. */
const isFaulty = ({ overlaps, said, stored }: MeasuredCall): boolean =>
  overlaps.some((ms) => ms > MAX_OVERLAP_MS) ||
  isOff(wordDifferences(said.assistant, stored.assistant)) ||
  isOff(wordDifferences(said.customer, stored.customer));

const isOff = ({ missing, added }: WordDifferences): boolean => missing + added > 0;

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
