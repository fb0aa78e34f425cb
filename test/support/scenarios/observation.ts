import type { CallView, ToolRun } from '#src/modules/calls/call.view.js';
import type { OutboundRequest } from '#src/common/outbound-http/outbound-exchange.js';
import type { StreamRequest } from '#src/modules/llm/language-model.js';
import type { ReadAssistant } from './read-assistant.js';
import type { Attributes } from './customer-line.js';
import type { Prompt } from './recognition.js';
import type { Said } from './speech-queue.js';

/** What the outside saw and what was stored. Times are milliseconds since the call was answered. */
export interface Observation {
  said: Said[];
  asked: StreamRequest[];
  unasked: number;
  transcript: string[];
  call: CallView | null;
  endedAt: number | null;
  answerDelays: number[];
  /** Keys that the assistant pressed. */
  keys: { digits: string; at: number }[];
  toolRuns: ToolRun[];
  toolRequests: OutboundRequest[];
  documents: Attributes[];
  settingsNotApplied: string[];
  suppressed: string[];
  /** When the customer is to be called again, in UTC. */
  callbacks: string[];
  placed: Record<string, unknown>;
  webhooks: { event: string; url: string; recording: boolean }[];
  assistant: ReadAssistant['response'];
}

/** From the customer's words to the next speech, which may begin before its words are known. */
export const answerDelays = (
  said: readonly Said[],
  prompts: readonly Prompt[],
  startedAt: number,
): number[] =>
  prompts.flatMap(({ endedAt, knownAt }) => {
    const next = said.find(({ begins }) => begins >= endedAt - startedAt);
    return next ? [Math.max(0, next.begins - (knownAt - startedAt))] : [];
  });
