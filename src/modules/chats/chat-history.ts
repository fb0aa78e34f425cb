import type { ChatTurn } from './entities/chat.entities.js';
import { toFunctionCalls, type FunctionCallView } from './function-calls.js';

/** What tools answered is shown up to so many characters in a whole conversation; later calls have no `result`. */
export const MAX_RESULT_CHARACTERS = 200_000;

export interface ChatMessage {
  role: 'assistant' | 'user';
  content: string;
  /** Of an assistant's message; absent: it called none. */
  function_calls?: FunctionCallView[];
  at: Date;
}

type Turn = Pick<ChatTurn, 'message' | 'answer' | 'functionCalls' | 'createdAt' | 'answeredAt'>;

/** The messages of both sides, oldest first; one without an answer stands among them, too. */
export function toMessages(turns: readonly Turn[], { showsResults = true } = {}): ChatMessage[] {
  let characters = 0;
  return turns.flatMap(({ message, answer, functionCalls, createdAt, answeredAt }): ChatMessage[] => {
    for (const { result } of functionCalls) characters += result?.length ?? 0;
    const calls = toFunctionCalls(functionCalls, showsResults && characters <= MAX_RESULT_CHARACTERS);
    return [
      ...(message === null ? [] : [{ role: 'user', content: message, at: createdAt } as const]),
      ...(answer === null
        ? []
        : [
            {
              role: 'assistant',
              content: answer,
              ...(calls.length > 0 && { function_calls: calls }),
              at: answeredAt ?? createdAt,
            } as const,
          ]),
    ];
  });
}
