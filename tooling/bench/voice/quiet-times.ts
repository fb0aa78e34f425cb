import type { LineVoices, Span } from '../../sandbox/carrier/line-voices.js';

/** A longer pause inside an answer is an interruption. */
const BREAK_MS = 400;
/** The customer was heard this long before: the assistant waits for the rest of an interruption. */
const AFTER_VOICE_MS = 1_000;

/** In milliseconds. */
export interface QuietTimes {
  /** Between the customer's words and the answer, and inside answers. */
  silences: number[];
  /** Pauses of the assistant without a sound of the customer shortly before. */
  breaks: number[];
  /** From the start to the last sound. */
  callMs: number;
}

/** Silences for which the customer does not account. */
export function quietTimes({ callee, assistant }: LineVoices): QuietTimes {
  const silences: number[] = [];
  const breaks: number[] = [];
  for (const [index, { from }] of assistant.entries()) {
    const before = [...callee, ...assistant.slice(0, index)].filter((span) => span.to <= from);
    const last = Math.max(0, ...before.map((span) => span.to));
    if (!callee.some((span) => isDuring(span, last, from))) silences.push(from - last);
    const previous = assistant[index - 1];
    if (!previous || from - previous.to < BREAK_MS) continue;
    if (!callee.some((span) => isDuring(span, previous.to - AFTER_VOICE_MS, from)))
      breaks.push(from - previous.to);
  }
  const callMs = Math.max(0, ...[...callee, ...assistant].map(({ to }) => to));
  return { silences, breaks, callMs };
}

const isDuring = (span: Span, from: number, to: number): boolean => span.from < to && span.to > from;
