import type { ConversationTool } from './conversation-settings.js';

/**
 * `durationMs` and `statusCode` are of the tool's own answer; `statusCode` null when there was none. A failure's
 * `result` is what the tool said about it, for example which slots are free instead.
 */
export type ToolOutcome =
  | { ok: true; result: unknown; durationMs: number; statusCode: number | null }
  | { ok: false; error: string; result?: unknown; durationMs: number; statusCode: number | null };

/** Makes an appointment with the customer. @returns why there is none: not in the future, too far, no lead any more */
export type AgreeCallback = (at: Date) => Promise<'past' | 'far' | 'gone' | null>;

/**
 * Calls a user's tool, once. Keeps the tool's own time limit; ends early when the signal aborts, which
 * means that the conversation is over.
 */
export interface ToolRunner {
  run(tool: ConversationTool, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome>;
}
