import type { AssistantView } from '../assistants/assistant-view.js';
import { redactionOptions } from '../redaction/redaction-options.js';
import { redactJsonText, redactText, redactValue } from '../redaction/redact-text.js';
import type { FunctionCall } from './chat.types.js';

/** What is stored of a chat. */
export interface StoredForm {
  text(text: string): string;
  calls(calls: readonly FunctionCall[]): FunctionCall[];
}

const UNCHANGED: StoredForm = { text: (text) => text, calls: (calls) => [...calls] };

/** Without the numbers that the assistant's setting keeps out. */
export function storedForm({
  redaction,
  language,
}: Pick<AssistantView, 'redaction' | 'language'>): StoredForm {
  if (redaction === 'off') return UNCHANGED;
  const options = redactionOptions(language.tag);
  return {
    text: (text) => redactText(text, options),
    calls: (calls) =>
      calls.map(({ arguments: args, result, ...call }) => ({
        ...call,
        arguments: redactValue(args, options),
        result: result === null ? null : redactJsonText(result, options),
      })),
  };
}
