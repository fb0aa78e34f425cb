/** One speech of the sandbox's journal. */
export interface HeardSpeech {
  /** End of the speech, in milliseconds since the epoch. */
  at: number;
  who: 'assistant' | 'callee';
  /** Exactly the spoken and heard part. */
  text: string;
  /** Of the assistant: `text` up to the last whole word. */
  heard?: string;
  /** Of the assistant: false when interrupted. */
  whole?: boolean;
  /**
   * In milliseconds. Of the interrupted assistant: maximum delay of the stop command at the carrier. Of the callee:
   * the longest gap in its audio without a pause in its speech, because the carrier's machine was busy.
   */
  lateMs?: number;
  /** Of the assistant: its start, in milliseconds since the epoch. */
  from?: number;
  /** Of the callee: whether the carrier reported the words. */
  reported?: boolean;
}

export interface ObservedCall {
  /** Callee and kind of assistant, for messages. */
  name: string;
  id: number;
  status: string;
  endedBy: string | null;
  endedReason: string | null;
  /** The reason with which the service ended the session; null when it did not. */
  toldReason: string | null;
  /** Lines `AI: …` and `Customer: …`. */
  transcript: string;
  speech: HeardSpeech[];
  /** When the carrier detected the loss of a call's socket. */
  socketLostAt: number[];
  /** Number of answer documents that the carrier fetched. */
  documents: number;
  /** Times of the requests, in milliseconds since the epoch; the first is at the answer of the call. */
  documentsAt: number[];
  /** Maximum delay of the carrier's playback, because its machine was busy. */
  stalledMs: number;
  /** Times at which the customer interrupted the service's speech, by turn. */
  interruptedAt: number[];
  /** Times of the answer and of the end at the carrier; null: never. */
  answeredAt: number | null;
  endedAt: number | null;
}

export interface ConversationRules {
  /** Duration of a character of speech in milliseconds. */
  msPerCharacter: number;
  /** Maximum number of answer documents of a call. */
  maxDocuments: number;
  /** Longest silence of another party than the customer, in milliseconds; null: not measured. */
  maxSilenceMs: number | null;
  /** Sentences after which the customer waits for the assistant. */
  fillers: readonly string[];
  /**
   * Words by which the last line before a break may differ: its heard part is not reported, so the service estimates
   * it by the clock.
   */
  wordsAtBreak: number;
  /**
   * Time of a kill, in milliseconds since the epoch; null: never. Frames received shortly before it, and until the
   * carrier detects it, may be lost: the carrier gets no acknowledgement of a frame.
   */
  killedAt: number | null;
  /** Time for which service and carrier waited for a processor between two moments, both since the epoch. */
  waits: { between(from: number, until: number): number };
}

/** Maximum time before its death for which a process may have received words without storing them. */
const LOST_MS = 500;
/** The carrier detects the end of a process within this time, also on a busy machine. */
const UNNOTICED_MS = 1_000;

/** From the beginning of speech, or of the break, to its estimated end. */
const BREAK_MS = 1_000;
const WORD_CHARACTERS = 6;

const KEYS = /^\[keys pressed/;
const NAMES = { assistant: 'AI', callee: 'Customer' } as const;
type Speaker = keyof typeof NAMES;

/**
 * Every call ends with a reason, after few documents and without a silence of the assistant; the transcript equals
 * the heard speech.
 */
export function verifyConversations(calls: readonly ObservedCall[], rules: ConversationRules): string[] {
  return calls.flatMap((call) =>
    [
      ...endingProblems(call),
      ...(call.documents > rules.maxDocuments ? [`fetched ${call.documents} documents`] : []),
      ...earProblems(call, 'assistant', rules),
      ...earProblems(call, 'callee', rules),
      ...silenceProblems(call, rules),
    ].map((problem) => `call ${call.id} (${call.name}): ${problem}`),
  );
}

export function endingProblems({
  status,
  endedBy,
  endedReason,
  toldReason,
  endedAt,
}: ObservedCall): string[] {
  if (endedAt === null) return [`is stuck: the carrier still holds it, its status is ${status}`];
  if (status !== 'completed') return [`is ${status} after its end`];
  if (endedBy === null || endedReason === null) {
    return [`ended without a named reason: ended_by ${endedBy}, ended_reason ${endedReason}`];
  }
  if (toldReason === null || endedReason === toldReason) return [];
  return [`was ended by the service with the reason ${toldReason}, and says ${endedBy} ${endedReason}`];
}

/** Compares one side's speech, line by line. */
function earProblems(call: ObservedCall, who: Speaker, rules: ConversationRules): string[] {
  const heard = call.speech.flatMap((speech) => linesOf(call, speech, who, rules));
  const prefix = `${NAMES[who]}: `;
  const stored = call.transcript
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => oneLine(line.slice(prefix.length)))
    .filter((line) => !KEYS.test(line));
  const isSame = ({ at, line, whole, mayBeMissing }: HeardLine, other = ''): boolean =>
    line === other ||
    (!whole && differsAtEnd(line, other) <= wordsAtBreak(at, rules)) ||
    (mayBeMissing && other !== '' && line.startsWith(other));
  const rest = [...stored];
  const wrong = heard.find((line) => {
    if (isSame(line, rest[0])) rest.shift();
    else return !line.mayBeMissing;
    return false;
  });
  if (!wrong && rest.length === 0) return [];
  const line = stored.length - rest.length + 1;
  return [
    `line ${line} of ${NAMES[who]}: heard ${shown(wrong?.line)}${fromKill(wrong, rules)}, stored ${shown(rest[0])}` +
      (heard.length === stored.length ? '' : ` (${heard.length} lines heard, ${stored.length} stored)`),
  ];
}

/** Time of a line, for messages. */
function fromKill(heard: HeardLine | undefined, { killedAt }: ConversationRules): string {
  return heard && killedAt !== null ? ` ${heard.at - killedAt} ms from the kill` : '';
}

interface HeardLine {
  at: number;
  line: string;
  whole: boolean;
  /** A process died with it, or with its rest. */
  mayBeMissing: boolean;
}

/** More words where the machine was busy around that moment. */
const wordsAtBreak = (
  at: number,
  { wordsAtBreak: words, msPerCharacter, waits }: ConversationRules,
): number =>
  words === 0 ? 0 : words + waits.between(at - BREAK_MS, at + BREAK_MS) / (WORD_CHARACTERS * msPerCharacter);

/** Difference of two lines in words; infinite when neither begins with the other. */
function differsAtEnd(one: string, other: string): number {
  if (!one.startsWith(other) && !other.startsWith(one)) return Infinity;
  return Math.abs(one.split(' ').length - other.split(' ').length);
}

function linesOf(
  call: ObservedCall,
  speech: HeardSpeech,
  who: Speaker,
  rules: ConversationRules,
): HeardLine[] {
  if (speech.who !== who || (who === 'callee' && !speech.reported)) return [];
  const line = oneLine(speech.heard ?? speech.text);
  if (line === '') return [];
  const { at, whole = true } = speech;
  return [{ at, line, whole, mayBeMissing: mayBeLost(call, speech, rules) }];
}

/**
 * Whether a process died with these words, or with their rest: it received them, or began to send them, shortly
 * before. The carrier plays sent speech to its end; the service stores a response in steps while it sends it.
 */
function mayBeLost(
  { socketLostAt }: ObservedCall,
  { who, at: saidAt, from = saidAt }: HeardSpeech,
  { killedAt }: ConversationRules,
): boolean {
  if (killedAt === null) return false;
  const at = who === 'assistant' ? from : saidAt;
  const noticedAt = Math.min(...socketLostAt.filter((lostAt) => lostAt >= killedAt), killedAt + UNNOTICED_MS);
  return at > killedAt - LOST_MS && at <= noticedAt;
}

const isLost = (call: ObservedCall, speech: HeardSpeech, rules: ConversationRules): boolean =>
  mayBeLost(call, speech, rules) && !call.transcript.includes(oneLine(speech.text));

const isFiller = ({ who, text, heard = text }: HeardSpeech, fillers: readonly string[]): boolean =>
  who === 'assistant' && fillers.includes(oneLine(heard));

interface Silence {
  ms: number;
  /** The speeches before and after, for messages. */
  where: string;
}

/**
 * Silences without the time for which the machine was busy with other processes. A silence is the assistant's when
 * the customer spoke last, when its own speech was interrupted or was a filler, and before the first word.
 */
function silencesOf(call: ObservedCall, rules: ConversationRules): Silence[] {
  const { msPerCharacter, fillers } = rules;
  // A mailbox speaks itself, without a listener.
  if (call.answeredAt === null || call.endedReason === 'voicemail') return [];
  const spans = call.speech.map((speech) => ({
    ...speech,
    from: speech.at - speech.text.length * msPerCharacter,
  }));
  const events = [...spans].sort((one, other) => one.from - other.from);
  const silences: Silence[] = [];
  let silentSince = call.answeredAt;
  let owner: Speaker = 'assistant';
  let after = 'the answer';
  const check = (until: number, before: string): void => {
    if (owner !== 'assistant') return;
    const ms = Math.round(until - silentSince - rules.waits.between(silentSince, until));
    silences.push({ ms, where: `between ${after} and ${before}` });
  };
  for (const speech of events) {
    const said = `${NAMES[speech.who]} ${shown(speech.text)}`;
    check(speech.from, said);
    if (speech.at < silentSince) continue;
    silentSince = speech.at;
    after = said;
    owner = speech.who === 'assistant' && speech.whole && !isFiller(speech, fillers) ? 'callee' : 'assistant';
    if (speech.who === 'callee' && (!speech.reported || isLost(call, speech, rules))) owner = 'callee';
  }
  if (call.endedAt !== null) check(call.endedAt, 'the end');
  return silences;
}

function silenceProblems(call: ObservedCall, rules: ConversationRules): string[] {
  const { maxSilenceMs } = rules;
  if (maxSilenceMs === null) return [];
  return silencesOf(call, rules)
    .filter(({ ms }) => ms > maxSilenceMs)
    .map(({ ms, where }) => `the assistant was silent for ${(ms / 1000).toFixed(1)} s ${where}`);
}

/** The longest silence of the assistant in these calls, in milliseconds; 0 without one. */
export const longestSilence = (calls: readonly ObservedCall[], rules: ConversationRules): number =>
  Math.max(0, ...calls.flatMap((call) => silencesOf(call, rules).map(({ ms }) => ms)));

/** Time at which the process received each of the customer's lost words, in milliseconds from the kill. */
export const lostWords = (calls: readonly ObservedCall[], rules: ConversationRules): number[] =>
  calls.flatMap((call) =>
    call.speech
      .filter((speech) => speech.reported && isLost(call, speech, rules))
      .map(({ at }) => at - (rules.killedAt ?? 0)),
  );

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');
const shown = (text: string | undefined): string =>
  text === undefined ? 'nothing' : JSON.stringify(oneLine(text));
