import type { LanguageModelError, ModelToolCall } from '../../llm/language-model.js';
import type { TurnContext } from './turn-context.js';

/** Timeout for text or a tool call of the model, before the customer would hang up. */
export const FIRST_TOKEN_TIMEOUT_MS = 10_000;
/** The same for the model that continues a response. */
const CONTINUE_TIMEOUT_MS = 5_000;
/** Pause within a response after which the other model continues it … */
const MAX_PAUSE_MS = 3_000;
/** … and after which a model without another one has failed: slow servers hold back calls of tools. */
const MAX_PAUSE_ALONE_MS = 6_000;

/** Shortest delay of the retry after a rate limit of the provider, else its Retry-After … */
const MIN_RETRY_WAIT_MS = 1_000;
/** … unless less than this is left for the response: then there is no retry. */
const MIN_RESPONSE_MS = 2_000;
const TOO_MANY_REQUESTS = 429;

/** One attempt to get a response of the model, or of its fallback. */
export interface ResponseAttempt {
  model: string;
  fallbackModel: string | null;
  /** For the first text or call. */
  deadline: number;
  maxPauseMs: number;
  /** Continues a response that broke off after its first words. */
  continues: boolean;
  isLast: boolean;
  /** Pause before it, for which the customer hears a phrase. */
  waitMs: number;
}

export interface ResponseProgress {
  text: boolean;
  calls: ModelToolCall[];
  /** The response is incomplete. */
  stopped: boolean;
  /** The model that responds. */
  model: string;
  /** Time of the request or of the last delta. */
  activeAt: number;
}

type Context = Pick<TurnContext, 'clock' | 'request' | 'fallback'>;

export const firstAttempt = ({ clock, request, fallback }: Context): ResponseAttempt => ({
  model: request.model,
  fallbackModel: fallback.model,
  deadline: clock.now() + FIRST_TOKEN_TIMEOUT_MS,
  maxPauseMs: fallback.model === null ? MAX_PAUSE_ALONE_MS : MAX_PAUSE_MS,
  continues: false,
  isLast: false,
  waitMs: 0,
});

export const beginProgress = ({ clock }: Context, { model }: ResponseAttempt): ResponseProgress => ({
  text: false,
  calls: [],
  stopped: false,
  model,
  activeAt: clock.now(),
});

/** Whether no response has begun within the timeout. */
export const hasTimedOut = (
  { clock }: Context,
  attempt: ResponseAttempt,
  progress: ResponseProgress,
): boolean => !progress.text && !attempt.continues && clock.now() >= attempt.deadline;

/** The attempt after a failed one; null: none. Speech that has begun is continued by the other model only. */
export function nextAttempt(
  context: Context,
  attempt: ResponseAttempt,
  progress: ResponseProgress,
  error: LanguageModelError,
): ResponseAttempt | null {
  const { clock, request, fallback } = context;
  if (attempt.isLast) return null;
  if (progress.text) {
    const other = progress.model === request.model ? fallback.model : request.model;
    if (other === null) return null;
    const deadline = clock.now() + CONTINUE_TIMEOUT_MS;
    return { ...attempt, model: other, fallbackModel: null, deadline, continues: true, isLast: true };
  }
  if (!error.retryable || hasTimedOut(context, attempt, progress)) return null;
  const waitMs = waitBefore(error);
  if (waitMs > 0 && clock.now() + waitMs + MIN_RESPONSE_MS > attempt.deadline) return null;
  return { ...attempt, isLast: true, waitMs };
}

function waitBefore({ status, retryAfterMs }: LanguageModelError): number {
  if (status !== TOO_MANY_REQUESTS && retryAfterMs === null) return 0;
  return Math.max(MIN_RETRY_WAIT_MS, retryAfterMs ?? 0);
}
