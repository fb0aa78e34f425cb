import { LIVELY } from '../../sandbox/callees/lively.js';
import type { LineVoices, Span } from '../../sandbox/carrier/line-voices.js';

/** A later answer counts as none. */
const MAX_RESPONSE_MS = 5_000;
/** An assistant that speaks on for this long after a sound has ignored it. */
const IGNORED_MS = 1_000;
/** A speech that is over by itself sooner after a sound tells nothing about it. */
const MAX_YIELD_MS = 3_000;

/** Turn-taking in one call of `livelyCustomer`; times in milliseconds. */
export interface TurnEvents {
  /** From the end of the customer's turn to the answer; null: none within 5 s. */
  responses: (number | null)[];
  /** From the start of the interruption until the assistant is silent; null: it was not. */
  yields: (number | null)[];
  /** Whether the assistant spoke on. */
  backchannels: boolean[];
  coughs: boolean[];
  /** The assistant audible over each utterance of the customer who did not mean to interrupt. */
  overlaps: number[];
}

const { backchannel, interruption, parting, parts } = LIVELY;
const INSIDE: readonly (string | null)[] = [backchannel, null, parting, ...parts.slice(0, -1)];

export function turnEvents({ callee, assistant }: LineVoices): TurnEvents {
  const events: TurnEvents = { responses: [], yields: [], backchannels: [], coughs: [], overlaps: [] };
  for (const speech of callee) {
    const over = assistant.find(({ from, to }) => from < speech.from && to > speech.from);
    const ignored = over && over.to >= speech.to + IGNORED_MS;
    if (speech.text === backchannel && over) events.backchannels.push(ignored === true);
    else if (speech.text === null && over) events.coughs.push(ignored === true);
    else if (speech.text === interruption && over) events.yields.push(yieldMs(speech, over));
    else if (speech.text !== null) events.overlaps.push(overlapMs(speech, assistant));
    if (!INSIDE.includes(speech.text)) events.responses.push(responseMs(speech, assistant));
  }
  return events;
}

function yieldMs({ from }: Span, over: Span): number | null {
  return over.to - from <= MAX_YIELD_MS ? over.to - from : null;
}

function responseMs({ to }: Span, assistant: readonly Span[]): number | null {
  const answer = assistant.find(({ from }) => from >= to);
  return answer && answer.from - to <= MAX_RESPONSE_MS ? answer.from - to : null;
}

const overlapMs = (speech: Span, assistant: readonly Span[]): number =>
  assistant.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, speech.to) - Math.max(from, speech.from)),
    0,
  );
