import type { ConversationTool } from './conversation-settings.js';

/**
 * `durationMs` and `statusCode` are of the tool's own response; `statusCode` null without one. A failure's `result` is
 * the tool's explanation, for example the free slots.
 */
export type ToolOutcome =
  | { ok: true; result: unknown; durationMs: number; statusCode: number | null }
  | { ok: false; error: string; result?: unknown; durationMs: number; statusCode: number | null };

/** Books a callback for the customer. @returns null, or the error: not in the future, too far ahead, lead deleted */
export type BookCallback = (at: Date) => Promise<'past' | 'far' | 'gone' | null>;

/**
 * Calls a user's tool, once, with the tool's own timeout. Ends early when the signal aborts at the end of the
 * conversation.
 */
export interface ToolRunner {
  run(tool: ConversationTool, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome>;
}
