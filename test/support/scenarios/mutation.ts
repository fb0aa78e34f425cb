import type { ConversationPlan } from '#src/modules/conversations/conversation-plan.js';
import type { ConversationSettings } from '#src/modules/conversations/engine/conversation-settings.js';
import type { RelaySettings } from '#src/modules/telephony/call-session.js';
import type { Attributes } from './customer-line.js';

/** What a fault run changes on the way from an assistant to the carrier and the engine. */
export interface Mutation {
  /** Between plan and answer document. */
  relay(settings: RelaySettings): RelaySettings;
  /** Between plan and engine. */
  settings(settings: ConversationSettings): ConversationSettings;
  /** Between plan and voicemail. */
  voicemail(plan: ConversationPlan): ConversationPlan;
  /** Before the carrier is asked to dial. */
  placed(request: Record<string, unknown>): Record<string, unknown>;
  /** Between answer document and carrier. */
  attributes(attributes: Attributes): Attributes;
}

export const UNCHANGED: Mutation = {
  relay: (settings) => settings,
  settings: (settings) => settings,
  voicemail: (plan) => plan,
  placed: (request) => request,
  attributes: (attributes) => attributes,
};
