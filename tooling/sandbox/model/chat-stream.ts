import { setTimeout as sleep } from 'node:timers/promises';
import { askedIn } from '../model-name.js';
import type { ChatRequest } from './chat-request.js';
import { deltas, finishReason, usageOf, type CompletionHead, type Delta } from './completion.js';
import type { Decision } from './policy.js';
import { BREAK_NAMES, BREAKS } from './broken-answers.js';
import { bodyOf, dialect, DIALECT_NAMES } from './dialects.js';
import { quirksOf, type Quirk } from './quirks.js';

export const FIRST_TOKEN_MS = 5;
const NEXT_TOKEN_MS = 2;
/** The delay of a model that is loaded first. */
export const LATE_TOKEN_MS = 6_000;
/** Longer than any timeout. */
const HANGING_MS = 10 * 60_000;
const THOUGHT = 'The customer wants something. I shall answer briefly.';

type OddDelta = Delta | { reasoning_content: string };

/**
 * The response as server-sent events, at the rate of a very fast model. Ends without a frame when the signal aborts.
 */
export async function* chatStream(
  head: CompletionHead,
  request: ChatRequest,
  decided: Decision,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const quirks = quirksOf(request.model);
  const decision = quirks.has('parallel') ? twice(decided) : decided;
  const withUsage = request.stream_options?.include_usage === true && !quirks.has('no-usage');
  const chunk = (choices: unknown[], usage: unknown = null) =>
    event({ ...head, object: 'chat.completion.chunk', choices, ...(withUsage && { usage }) });
  const odd = oddPieces(request.model, decision);
  for (const piece of odd ?? []) {
    if (!(await slept(NEXT_TOKEN_MS, signal))) return;
    yield piece;
  }
  if (odd) return;
  let wait = quirks.has('late') ? LATE_TOKEN_MS : FIRST_TOKEN_MS;
  for (const delta of oddDeltas(decision, quirks)) {
    if (!(await slept(wait, signal))) return;
    wait = NEXT_TOKEN_MS;
    yield chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]);
    if (quirks.has('hangs') && !(await slept(HANGING_MS, signal))) return;
  }
  const finish_reason = quirks.has('empty') ? 'stop' : finishReason(decision);
  yield chunk([{ index: 0, delta: {}, logprobs: null, finish_reason }]);
  if (withUsage) yield chunk([], usageOf(request, decision));
  yield 'data: [DONE]\n\n';
}

const twice = ({ content, calls }: Decision): Decision => ({
  content,
  calls: [...calls.slice(0, 1), ...calls],
});

/** The body of a response in a dialect, or of an incomplete one; null: neither is requested. */
function oddPieces(model: string, decision: Decision): string[] | null {
  const name = askedIn(model, DIALECT_NAMES);
  const broken = askedIn(model, BREAK_NAMES);
  if (name === null && broken === null) return null;
  const spoken = dialect(name ?? 'openai');
  const frames = spoken.frames(decision);
  return broken === null ? bodyOf(spoken, frames) : BREAKS[broken](frames);
}

function* oddDeltas(decision: Decision, quirks: ReadonlySet<Quirk>): Generator<OddDelta> {
  if (quirks.has('empty')) {
    yield { role: 'assistant', content: '' };
    return;
  }
  let hasThought = false;
  for (const delta of deltas(decision)) {
    yield 'tool_calls' in delta ? oddCall(delta, quirks) : delta;
    if (hasThought) continue;
    hasThought = true;
    yield* thoughts(quirks);
  }
}

function* thoughts(quirks: ReadonlySet<Quirk>): Generator<OddDelta> {
  const words = THOUGHT.match(/\S+\s*/g) ?? [];
  if (quirks.has('reasons')) for (const word of words) yield { reasoning_content: word };
  if (!quirks.has('thinks')) return;
  yield { content: '<think>' };
  for (const word of words) yield { content: word };
  yield { content: '</think>' };
}

function oddCall(delta: Extract<Delta, { tool_calls: unknown }>, quirks: ReadonlySet<Quirk>): Delta {
  return {
    tool_calls: delta.tool_calls.map(({ id, ...call }) => ({
      ...call,
      ...(quirks.has('same-index') && { index: 0 }),
      ...(id !== undefined && !quirks.has('no-ids') && { id }),
    })),
  };
}

/** False when the client has disconnected. */
async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
