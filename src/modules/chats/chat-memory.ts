import { ConversationMemory } from '../conversations/engine/conversation-memory.js';
import type { HistoryEntry } from '../conversations/engine/earlier-conversation.js';
import type { FunctionCall } from './chat.types.js';
import type { ChatTurn } from './entities/chat.entities.js';

/** The result for the model of a tool that was running when the process died: it may have taken effect. */
export const INTERRUPTED_TOOL_RESULT = JSON.stringify({
  error: 'The tool was interrupted: it is not known whether it took effect. Do not call it again.',
});

/** The functions of the service are left out: they end the conversation. */
const toEntries = (calls: readonly FunctionCall[]): Unnumbered[] =>
  calls
    .filter(({ result }) => result !== null)
    .map(({ name, arguments: args, result }) => ({
      role: 'tool',
      name,
      arguments: args,
      answer: result ?? '',
    }));

type Unnumbered = HistoryEntry extends infer Entry
  ? Entry extends unknown
    ? Omit<Entry, 'seq'>
    : never
  : never;

/** The conversation for the model, up to the message that is to be answered and the tools that were run for it. */
export function toChatMemory(
  before: readonly ChatTurn[],
  current: { message: string; calls: readonly FunctionCall[] },
): ConversationMemory {
  const entries = before.flatMap(({ message, answer, functionCalls }): Unnumbered[] => [
    ...(message === null ? [] : [{ role: 'customer', text: message } as const]),
    ...toEntries(functionCalls),
    ...(answer === null ? [] : [{ role: 'assistant', text: answer } as const]),
  ]);
  entries.push({ role: 'customer', text: current.message }, ...toEntries(current.calls));
  return new ConversationMemory(entries.map((entry, seq) => ({ ...entry, seq }) as HistoryEntry));
}

/** Calls that a dead process left: those that it had begun count as run. */
export const completeAbandonedCalls = (calls: readonly FunctionCall[]): FunctionCall[] =>
  calls.map((call) => ({ ...call, result: call.result ?? INTERRUPTED_TOOL_RESULT }));
