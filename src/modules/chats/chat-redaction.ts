import type { AssistantView } from '../assistants/assistant-view.js';
import type { SearchOptions } from '../redaction/find-numbers.js';
import { redactionOptions } from '../redaction/redaction-options.js';
import { redactJsonText, redactText, redactValue } from '../redaction/redact-text.js';
import { HOLD_NAMED, TurnRedactor } from '../redaction/turn-redactor.js';
import type { EarlierTurn } from './chat-messages.js';
import type { FunctionCall } from './chat.types.js';

/** What is stored of a chat. */
export interface StoredForm {
  text(text: string): string;
  /** A message of the customer after these turns: their answers say what its number is, or it is the rest of one. */
  message(text: string, before: readonly EarlierTurn[]): string;
  calls(calls: readonly FunctionCall[]): FunctionCall[];
  /** What the assistant searches in documents, as in the arguments of the call. */
  question(question: string): string;
}

const UNCHANGED: StoredForm = {
  text: (text) => text,
  message: (text) => text,
  calls: (calls) => [...calls],
  question: (question) => question,
};

/** A number that may go on was hidden at the end of a message. */
const HIDDEN_AT_END = /\[(?:card number|iban|phone number)\]\W*$/;

/** Without the numbers that the assistant's setting keeps out. */
export function storedForm({
  redaction,
  language,
}: Pick<AssistantView, 'redaction' | 'language'>): StoredForm {
  if (redaction === 'off') return UNCHANGED;
  const options = redactionOptions(language.tag);
  return {
    text: (text) => redactText(text, options),
    message: (text, before) => redactMessage(text, before, options),
    calls: (calls) =>
      calls.map(({ arguments: args, result, ...call }) => ({
        ...call,
        arguments: redactValue(args, options),
        result: result === null ? null : redactJsonText(result, options),
      })),
    question: (question) => redactValue({ question }, options).question,
  };
}

/** Messages are stored once: the first part of a number stays unless words name it. */
function redactMessage(text: string, before: readonly EarlierTurn[], options: SearchOptions): string {
  const redactor = new TurnRedactor(options, HOLD_NAMED);
  for (const { seq, message, answer } of before) {
    if (message !== null) redactor.addCustomer(seq, message);
    const [mark = ''] = HIDDEN_AT_END.exec(message ?? '') ?? [];
    if (answer !== null || mark !== '') redactor.addAssistant(`${mark} ${answer ?? ''}`.trim());
  }
  const seq = (before.at(-1)?.seq ?? 0) + 1;
  const stored = redactor.addCustomer(seq, text).find((turn) => turn.seq === seq)?.text;
  if (stored !== undefined && stored !== text) return stored;
  // Messages without an answer may stand between.
  return redactText(text, {
    ...options,
    before: before.findLast(({ answer }) => answer !== null)?.answer ?? '',
  });
}
