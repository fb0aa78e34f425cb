import type { CallSession } from '#src/modules/telephony/call-session.js';
import type { AnsweringModel } from '../../llm/language-model.js';
import type { Clock } from './clock.js';
import type { ConversationRecorder } from './conversation-recorder.js';
import type { AgreeCallback, ToolRunner } from './tool-runner.js';
import type { VisitorAllowance } from './visitor-allowance.js';

/** What a conversation works with. */
export interface ConversationParts {
  clock: Clock;
  session: CallSession;
  model: AnsweringModel;
  tools: ToolRunner;
  agreeCallback: AgreeCallback;
  recorder: ConversationRecorder;
  /** How much the customer may say; null: as much as a line brings. */
  allowance?: VisitorAllowance | null;
}
