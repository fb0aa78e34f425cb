import { END_CALL } from '../conversations/engine/built-in-tools.js';
import type { FunctionCall } from './chat.types.js';

export interface FunctionCallView {
  name: string;
  /** Empty where the reader does not see it. */
  arguments: Record<string, unknown>;
  /** The function's result, of any type; absent where the reader does not see it. */
  result?: unknown;
}

/**
 * Functions that the assistant called, as clients see them.
 * @param showsResults whether with the arguments and results of tools
 */
export const toFunctionCalls = (calls: readonly FunctionCall[], showsResults: boolean): FunctionCallView[] =>
  calls.map(({ name, arguments: args, result }) =>
    showsResults || name === END_CALL
      ? { name, arguments: args, result: result === null ? null : readResult(result) }
      : { name, arguments: {} },
  );

/** Most tools answer with JSON. */
function readResult(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
