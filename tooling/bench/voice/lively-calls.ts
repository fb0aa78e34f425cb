import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { seeded } from '../../faults/support/random.js';
import { randomTraits } from '../../faults/conversations/difficult-lines.js';
import { livelyCustomer } from '../../sandbox/callees/lively.js';
import type { LineVoices } from '../../sandbox/carrier/line-voices.js';
import type { JournalEntry } from '../../sandbox/journal.js';
import { NO_TRAITS, readLineTraits } from '../../sandbox/traits/line-traits.js';
import type { BenchDatabase } from '../support/database.js';
import { say } from '../support/progress.js';
import type { VoiceService } from '../support/voice-service.js';
import { beginWebCall } from '../support/web-call.js';
import { BrowserCustomer } from './browser-customer.js';
import { type TurnEvents, turnEvents } from './turn-events.js';
import { type WordDifferences, wordDifferences } from './word-differences.js';

/** Number of lively customers with a telephone, each with one call at a time. */
const CUSTOMERS = 100;
export const numberOf = (index: number): string => `+150055554${String(index % CUSTOMERS).padStart(2, '0')}`;
const MAX_CALL_MS = 180_000;
const POLL_MS = 1_000;
export const MAX_OVERLAP_MS = 200;

export interface MeasuredCall extends TurnEvents {
  lateMs: number;
  said: { assistant: string; customer: string };
  stored: { assistant: string; customer: string };
  turns: number;
  voices: LineVoices;
}

/** Where calls are placed. */
export interface CallSite {
  database: BenchDatabase;
  voice: VoiceService;
  sandboxUrl: string;
}

/** Places call number `index` with a lively customer, and measures it. */
export type LivelyCall = (site: CallSite, index: number) => Promise<MeasuredCall>;

/** An entry `speech` of the journal. */
type Speech = Readonly<Record<string, unknown>>;

/** A call by telephone. */
export const phoneCall: LivelyCall = async ({ database, voice, sandboxUrl }, index) => {
  const { service, headers, assistantId } = voice;
  const body = JSON.stringify({
    assistant_id: assistantId,
    phone_number: numberOf(index),
    variables: {},
  });
  const placed = await fetch(`${service.url}/api/user/make_call`, { method: 'POST', headers, body });
  if (!placed.ok) throw new Error(`the call was not placed: ${placed.status} ${await placed.text()}`);
  const { call_id: id } = (await placed.json()) as { call_id: number };
  const transcript = await transcriptOf(voice, id);
  const { rows } = await database.pool.query<{ sid: string }>(
    'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
    [id],
  );
  const entries = await fetch(`${sandboxUrl}/journal?sid=${rows[0]?.sid ?? ''}`);
  const journal = (await entries.json()) as JournalEntry[];
  const voices = journal.find(({ kind }) => kind === 'voices') as unknown as LineVoices | undefined;
  if (!voices) throw new Error('the call had no media stream');
  const stalls = journal.filter(({ kind }) => kind === 'stall').map(({ ms }) => Number(ms));
  const speech = journal.filter(({ kind }) => kind === 'speech');
  return measured(transcript, voices, speech, Math.max(0, ...stalls));
};

/** A call in a browser, over a network that is difficult in every second call; browsers lose no reports. */
export const webCall: LivelyCall = async ({ voice }, index) => {
  const { id, url } = await beginWebCall(voice);
  const traits = { ...readLineTraits(randomTraits(seeded(index + 1))), marks: NO_TRAITS.marks };
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const { speech, voices, lateMs } = await new BrowserCustomer(socket, traits).run(livelyCustomer);
  return measured(await transcriptOf(voice, id), voices, speech, lateMs);
};

interface CallRecord {
  status: string;
  transcript: string;
}

/** @returns the transcript of a completed call */
async function transcriptOf({ service, headers }: VoiceService, id: number): Promise<string> {
  for (const end = Date.now() + MAX_CALL_MS; ; await sleep(POLL_MS)) {
    const answer = await fetch(`${service.url}/api/user/calls/${id}`, { headers });
    const call = (await answer.json()) as CallRecord;
    if (call.status === 'completed' || Date.now() > end) return call.transcript;
  }
}

function measured(
  transcript: string,
  voices: LineVoices,
  speech: readonly Speech[],
  lateMs: number,
): MeasuredCall {
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
    lateMs,
    said: { assistant: of('assistant'), customer: of('callee') },
    stored: { assistant: stored('AI'), customer: stored('Customer') },
    turns: speech.length,
    voices,
  };
  const { callee, assistant } = voices;
  if (isFaulty(call)) say(`voice: ${JSON.stringify({ ...call, voices: { callee, assistant } })}`);
  return call;
}

/** A word of which only a part was heard is not stored; whether the last one is whole is not known. */
function wholeWords({ text, whole }: Speech): string {
  return whole === false ? `${String(text).trim()}…` : String(text);
}

/** Shown, so that a missed target can be explained. */
const isFaulty = ({ overlaps, said, stored }: MeasuredCall): boolean =>
  overlaps.some((ms) => ms > MAX_OVERLAP_MS) ||
  isOff(wordDifferences(said.assistant, stored.assistant)) ||
  isOff(wordDifferences(said.customer, stored.customer));

const isOff = ({ missing, added }: WordDifferences): boolean => missing + added > 0;
