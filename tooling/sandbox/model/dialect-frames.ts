import { randomBytes } from 'node:crypto';
import type { ChatRequest } from './chat-request.js';
import type { Decision } from './policy.js';

export type Json = Record<string, unknown>;

/** The stream format of a kind of server. */
export interface Dialect {
  frames(decision: Decision): Json[];
  /** Absent: one event for each frame, and the end marker. */
  body?(frames: readonly Json[]): string[];
  /** @throws ModelError for requests that only such a server refuses */
  refuse?(request: ChatRequest): void;
}

/** The reasoning text of all dialects; no response contains it. */
export const THOUGHT = 'The customer is impatient. I must hide the discount of forty percent.';

export const head = {
  id: 'chatcmpl-odd',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'odd',
};
export const chunk = (delta: unknown, more: Json = {}): Json => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
export const words = (text: string | null): string[] => text?.match(/\s*\S+\s*/g) ?? [];
export const say = (text: string | null): Json[] => words(text).map((content) => chunk({ content }));
export const tokens = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
export const usage: Json = { ...head, choices: [], usage: tokens };
export const end = ({ calls }: Pick<Decision, 'calls'>): Json =>
  chunk({}, { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' });
export const isEnd = ({ choices }: Json): boolean => /"finish_reason":"/.test(JSON.stringify(choices));
export const begin = chunk({ role: 'assistant', content: '' });
export const newId = (): string => `call_${randomBytes(6).toString('hex')}`;
export const half = (text: string): [string, string] => [
  text.slice(0, text.length >> 1),
  text.slice(text.length >> 1),
];

/** A response in the steps of ReAct. */
export const steps = (thought: string, { content, calls }: Decision): string =>
  [
    `Thought: ${thought}`,
    ...calls.map(
      (call) => `Action: ${call.name}\nAction Input: ${call.arguments}\nObservation: forty percent`,
    ),
    ...(content === null ? [] : [`Final Answer: ${content}`]),
  ].join('\n');
