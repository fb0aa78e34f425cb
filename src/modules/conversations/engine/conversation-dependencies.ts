import type { CallSession } from '#src/modules/telephony/call-session.js';
import type { StreamingModel } from '../../llm/language-model.js';
import type { TurnRedactor } from '../../redaction/turn-redactor.js';
import type { Clock } from './clock.js';
import type { ConversationRecorder } from './conversation-recorder.js';
import type { Knowledge } from './knowledge-function.js';
import type { BookCallback, ToolRunner } from './tool-runner.js';
import type { VisitorInputLimit } from './visitor-input-limit.js';

/** Dependencies of a conversation. */
export interface ConversationDependencies {
  clock: Clock;
  session: CallSession;
  model: StreamingModel;
  tools: ToolRunner;
  bookCallback: BookCallback;
  recorder: ConversationRecorder;
  /** Whether machine detection has reported a person; absent: it reports nothing. */
  isReportedPerson?: () => Promise<boolean>;
  /** Documents that are searched; null: none. */
  knowledge?: Knowledge | null;
  /** Hides numbers from the model; null: it gets the customer's words. */
  redactor?: TurnRedactor | null;
  /** Limits of the customer's input; null: none. */
  allowance?: VisitorInputLimit | null;
}
