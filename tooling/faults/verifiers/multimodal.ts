import { END_OF_TURN_MS } from '../../sandbox/carrier/stream-hearing.js';
import {
  endingProblems,
  type ConversationRules,
  type HeardSpeech,
  type ObservedCall,
} from './conversations.js';

/** Limits of the losses at a break. Times are milliseconds since the epoch. */
export interface MultimodalRules {
  /** The first words of the greeting, which is not repeated after it was heard. */
  greeting: string;
  /** The carrier's speech before a stream, repeated without a session: then it is stored once. */
  notice: string;
  /** Maximum number of answer documents of a call. */
  maxDocuments: number;
  /**
   * Characters at the end of interrupted speech which may count as heard without recognition: its own, or those of
   * the next speech when that was interrupted before its first recognised character, also after complete speech where
   * the line ended then. In tones a character is recognised at its end, and 80 ms without characters begin each
   * sentence: the playing character is unknown.
   */
  charactersAtCut?: number;
  /** The lines have traits: a sound is a turn, marks are late, and the last audio arrives after the call. */
  hasTraits?: boolean;
  /** Time of a kill; null: never. */
  killedAt: number | null;
  /** As in `ConversationRules`; without it the machine is idle. */
  waits?: ConversationRules['waits'];
}

/**
 * Heard last before a kill and not stored: the carrier's reports are stored every 200 ms, and a statement takes
 * longer on a busy machine.
 */
const WORDS_AT_KILL = 5;
/** Of speech that ended within `UNSTORED_MS` before its line did: no mark tells that its last word was heard. */
const WORDS_AT_END_OF_LINE = 1;
/**
 * Speech that ended this long before a kill may be stored incompletely: a mark's 250 ms, those 200 ms, and the
 * statement.
 */
const UNSTORED_MS = 500;
/** The carrier detects the end of a process within this time, also on a busy machine. */
const UNNOTICED_MS = 1_000;
/** An utterance is available this long after its end: the pause that ends it, and its transcription. */
const UNHEARD_MS = 2_500;
/**
 * The mark of lost words may stand for speech this long before the next line: what was received is played to its end,
 * and the customer finishes.
 */
const MARKED_MS = 10_000;
/** The last words before a hang-up. */
const HANG_UP_MS = 1_500;
/** The service may hear silence in place of a character: on a busy machine, and with the delays of a line's traits. */
const SILENCE_AFTER_MS = { plain: 200, traits: 140 };
/** A loaded machine forwards a stop command within this time. */
const ON_ITS_WAY_MS = 1_000;
/** A stop command this long after the end of speech was sent before the mark of the end could return. */
const UNMARKED_MS = 250;
/** Marks that are less late than this are taken for late playback, until many of them have returned. */
const UNPROVEN_MS = 500;
/** Minimum duration of a character of the sandbox's speech. */
const MS_PER_CHARACTER = 60;

const KEYS = /^\[keys pressed/;
/** Stored in place of words that were lost with the session of the model. */
const NOT_TRANSCRIBED = 'nottranscribed';

/** With a longer delay the carrier's machine was too busy to determine the times of speech. */
const MAX_STALL_MS = 500;

export const isJudgedByWords = ({ stalledMs }: Pick<ObservedCall, 'stalledMs'>): boolean =>
  stalledMs <= MAX_STALL_MS;

/**
 * Every call ends with a reason, after few documents; the stored transcript equals each side's heard speech, word by
 * word. Turns are not compared: audio has no turns.
 */
export function verifyMultimodal(calls: readonly ObservedCall[], rules: MultimodalRules): string[] {
  return calls.flatMap((call) =>
    [
      ...endingProblems(call),
      ...(call.documents > rules.maxDocuments ? [`fetched ${call.documents} documents`] : []),
      ...(isJudgedByWords(call) ? wordProblems(call, rules) : []),
      ...greetingProblems(call, rules),
    ].map((problem) => `call ${call.id} (${call.name}): ${problem}`),
  );
}

/** The data for the check of one call's words. */
export type HeardCall = Pick<
  ObservedCall,
  'speech' | 'transcript' | 'interruptedAt' | 'documentsAt' | 'endedAt' | 'stalledMs'
>;
export type WordRules = Omit<MultimodalRules, 'greeting' | 'maxDocuments'>;

/** Differences between the stored transcript and the heard speech, at most one for each side. */
export function wordProblems(call: HeardCall, rules: WordRules): string[] {
  const assistant = call.speech.filter(({ who }) => who === 'assistant');
  const heard = assistant.flatMap((one, index) =>
    heardOf(one, assistant[index + 1], call, rules).map((piece) =>
      isRepeatedNotice(one, assistant[index + 1], rules) ? { ...piece, optional: true } : piece,
    ),
  );
  const sounds = rules.hasTraits && call.documentsAt.length > 1 ? [LOST_SOUND, LOST_SOUND] : [];
  const said = saidBy(call, rules).flatMap((piece) => [...sounds, piece]);
  return [
    ...earProblems('AI', storedBy(call, 'AI'), heard),
    ...earProblems('Customer', storedBy(call, 'Customer'), [...said, ...sounds]),
  ];
}

const isRepeatedNotice = (
  { text }: HeardSpeech,
  next: HeardSpeech | undefined,
  { notice }: WordRules,
): boolean => text === notice && (next?.text?.startsWith(notice) ?? false);

/** Words that were heard before a kill, and are not stored: each with the call's id. */
export const lostAtKill = (calls: readonly ObservedCall[], rules: MultimodalRules): number[] =>
  calls.flatMap(({ id, speech, transcript }) =>
    speech
      .filter((one) => wasKilled(one, rules))
      .filter(({ text, heard = text }) => !squeezed(transcript).includes(squeezed(heard)))
      .map(() => id),
  );

/** A piece of speech; an optional one may be missing in the record, or be stored as not transcribed. */
interface Piece {
  words: string;
  optional: boolean;
  /** It may be stored as not transcribed. */
  markable?: boolean;
  /** Of each of the last words, as many as there are: it may be missing together with those after it. */
  losable?: number;
  /** Characters that may follow its stored part. */
  extra?: number;
  /** Any of its characters may be missing. */
  torn?: boolean;
}

/** A sound on the line whose words were outstanding when a session of the model ended. */
const LOST_SOUND: Piece = { words: '', optional: true };

function heardOf(
  speech: HeardSpeech,
  next: HeardSpeech | undefined,
  { interruptedAt, documentsAt, stalledMs }: HeardCall,
  rules: WordRules,
): Piece[] {
  const { who, at, text, heard = text, whole = true } = speech;
  if (who !== 'assistant' || typeof heard !== 'string') return [];
  const killed = wasKilled(speech, rules);
  const nextFrom = next?.from ?? next?.at ?? Infinity;
  const endsLine = documentsAt.some((time) => time > at && time < nextFrom);
  // Due while the machine of the carrier stalled, and cut before it was played.
  const due = Math.floor(stalledMs / MS_PER_CHARACTER);
  const extra = !whole || endsLine ? (rules.charactersAtCut ?? 0) + due : 0;
  if (heard.trim() === '') return [];
  const piece = { words: heard, optional: false, extra };
  const endsWithLine = documentsAt.some((time) => time > at && time < Math.min(nextFrom, at + UNSTORED_MS));
  if (whole && !killed) {
    const losable = Math.max(endsWithLine ? WORDS_AT_END_OF_LINE : 0, wordsAtStop(speech, interruptedAt));
    return [{ ...piece, losable }];
  }
  if (whole) return [{ ...piece, losable: WORDS_AT_KILL }];
  const waitedMs = rules.waits?.between(at - ON_ITS_WAY_MS, at) ?? 0;
  const markMs = rules.hasTraits && endsLine ? UNPROVEN_MS : 0;
  const lateMs = markMs + waitedMs + Math.max(speech.lateMs ?? 0, onItsWayMs(speech, interruptedAt));
  return [{ ...piece, losable: lastWords(heard, lateMs) + (killed ? WORDS_AT_KILL : 0) }];
}

/** Words of complete speech at whose end a stop command arrived: the journal has its end after the silence. */
function wordsAtStop({ at, text, heard = text }: HeardSpeech, interruptedAt: readonly number[]): number {
  const end = at - END_OF_TURN_MS;
  const early = interruptedAt
    .map((time) => end - time)
    .filter((ms) => ms >= -UNMARKED_MS && ms <= ON_ITS_WAY_MS);
  return early.length === 0 ? 0 : lastWords(heard, Math.max(0, Math.min(...early)));
}

/** Transit time of the service's stop command; both use the clock of one machine. */
function onItsWayMs({ at }: HeardSpeech, interruptedAt: readonly number[]): number {
  const waited = interruptedAt.map((time) => at - time).filter((ms) => ms >= 0 && ms <= ON_ITS_WAY_MS);
  return waited.length === 0 ? 0 : Math.min(...waited);
}

/**
 * Number of the last words that may have been played only while the stop command was in transit. The last one was
 * interrupted, or stopped at its end: this is ambiguous.
 */
function lastWords(text: string, lateMs: number): number {
  const words = wordsOf(text);
  const before = wordsOf(text.slice(0, Math.max(0, text.length - Math.ceil(lateMs / MS_PER_CHARACTER))));
  return words.length - before.length + 1;
}

const wordsOf = (text: string): string[] => text.split(/\s+/).map(squeezed).filter(Boolean);

/** Sentences without the assistant's speech between them may be one turn, whose words are lost together at a break. */
function saidBy(call: HeardCall, rules: WordRules): Piece[] {
  const pieces: Piece[] = [];
  let isTurnLost = false;
  for (const speech of [...call.speech].reverse()) {
    if (speech.who === 'assistant') isTurnLost = false;
    if (speech.who !== 'callee' || speech.reported === false) continue;
    const { isBroken, ...piece } = saidOf(call, speech, rules);
    isTurnLost ||= isBroken;
    pieces.unshift({ ...piece, optional: piece.optional || isTurnLost });
  }
  return pieces;
}

function saidOf(
  { documentsAt, endedAt }: HeardCall,
  { at, text, lateMs = 0, whole = true }: HeardSpeech,
  { killedAt, hasTraits = false }: WordRules,
): Piece & { isBroken: boolean } {
  // The carrier asks for a document long after a kill where the machine is busy.
  const breaks = [...documentsAt, ...(killedAt === null || killedAt === undefined ? [] : [killedAt])];
  const isBroken = breaks.some((time) => at > time - UNHEARD_MS && at < time + UNNOTICED_MS);
  const markable = breaks.some((time) => at > time - MARKED_MS && at < time);
  const isLast = endedAt !== null && at > endedAt - HANG_UP_MS;
  const isOptional = isBroken || isLast || !whole;
  return {
    words: text,
    optional: isOptional,
    markable,
    torn: !whole || lateMs >= SILENCE_AFTER_MS[hasTraits ? 'traits' : 'plain'] || (isLast && hasTraits),
    isBroken,
  };
}

/** The end of its process interrupted the speech, or the speech ended just before. */
const wasKilled = (
  { who, at, from = at, whole = true }: HeardSpeech,
  { killedAt }: Pick<MultimodalRules, 'killedAt'>,
): boolean =>
  who === 'assistant' &&
  killedAt !== null &&
  from <= killedAt + UNNOTICED_MS &&
  at >= killedAt - UNSTORED_MS &&
  (!whole || at <= killedAt + UNNOTICED_MS);

const storedBy = ({ transcript }: HeardCall, who: string): string =>
  squeezed(
    transcript
      .split('\n')
      .filter((line) => line.startsWith(`${who}: `))
      .map((line) => line.slice(who.length + 2))
      .filter((line) => !KEYS.test(line))
      .join(' '),
  );

function earProblems(who: string, stored: string, heard: readonly Piece[]): string[] {
  const ends = heard.reduce((from, piece) => endsOf(piece, stored, from), new Set([0]));
  if (ends.has(stored.length)) return [];
  const all = squeezed(heard.map(({ words }) => words).join(' '));
  const at = [...all].findIndex((character, index) => character !== stored[index]);
  const from = Math.max(0, (at < 0 ? all.length : at) - SHOWN_BEFORE);
  const part = (text: string): string => JSON.stringify(text.slice(from, from + SHOWN));
  return [`${who}, from character ${from}: heard ${part(all)}, stored ${part(stored)}`];
}

const SHOWN_BEFORE = 40;
const SHOWN = 160;

/** Possible ends of a piece that begins at one of these positions; a regular expression tries each combination. */
function endsOf(piece: Piece, stored: string, from: Set<number>) {
  const { words, optional, markable = optional, torn, losable = 0, extra = 0 } = piece;
  const after = (text: string, places: Iterable<number>): number[] =>
    [...places].filter((at) => stored.startsWith(text, at)).map((at) => at + text.length);
  const replaced = optional || markable ? after(NOT_TRANSCRIBED, from) : [];
  if (torn) {
    const ends = new Set([...from, ...replaced]);
    for (const character of squeezed(words)) for (const end of after(character, [...ends])) ends.add(end);
    return ends;
  }
  const list = wordsOf(words);
  const sure = Math.max(0, list.length - losable);
  let places = after(list.slice(0, sure).join(''), from);
  const ends = new Set(optional ? [...from, ...replaced] : replaced);
  for (const word of [...list.slice(sure), null]) {
    for (const at of places)
      for (let end = at; end <= Math.min(at + extra, stored.length); end += 1) ends.add(end);
    if (word !== null) places = after(word, places);
  }
  return ends;
}

/** Letters and digits: whether a mark of punctuation was heard is not known. */
const squeezed = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

function greetingProblems({ speech }: ObservedCall, { greeting }: MultimodalRules): string[] {
  const said = speech.filter(({ who, text }) => who === 'assistant' && String(text).includes(greeting));
  const [first, second] = said;
  return first?.whole && second ? ['greets again after the greeting was heard'] : [];
}
