import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { redactionOptions } from '../redaction/redaction-options.js';
import { HOLD_NAMED, TurnRedactor } from '../redaction/turn-redactor.js';
import type { ConversationRecorder } from './engine/conversation-recorder.js';
import type { ToolRunner } from './engine/tool-runner.js';
import { RedactingRecorder } from './redacting-recorder.js';
import { RedactingToolRunner } from './redacting-tool-runner.js';

export interface RedactedParts {
  recorder: ConversationRecorder;
  tools: ToolRunner;
  /** Null: the model gets the customer's words. */
  redactor: TurnRedactor | null;
  /** What the assistant searches in documents, as the recorder stores it. */
  asStored(question: string): string;
}

/** The same parts, with the numbers kept out that the assistant's setting names. */
export function redactConversation(
  { redaction, language }: Pick<AssistantView, 'redaction' | 'language'>,
  { clientPhoneNumber, assistantPhoneNumber }: Pick<CallView, 'clientPhoneNumber' | 'assistantPhoneNumber'>,
  { recorder, tools }: Pick<RedactedParts, 'recorder' | 'tools'>,
): RedactedParts {
  if (redaction === 'off') return { recorder, tools, redactor: null, asStored: (question) => question };
  const options = redactionOptions(language.tag, [clientPhoneNumber, assistantPhoneNumber]);
  const stored = new RedactingRecorder(recorder, options);
  const asStored = (question: string): string => stored.redactArguments({ question }).question;
  if (redaction === 'store') return { recorder: stored, tools, redactor: null, asStored };
  return {
    recorder: stored,
    asStored,
    tools: new RedactingToolRunner(tools, options),
    redactor: new TurnRedactor(options, HOLD_NAMED),
  };
}
