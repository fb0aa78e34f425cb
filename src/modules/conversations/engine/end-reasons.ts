/** Who a conversation is ended by, for each reason that it can have. */
export const END_REASONS = {
  customer_hangup: 'customer',
  goodbye: 'assistant',
  stop_calling: 'assistant',
  voicemail: 'system',
  silence: 'system',
  max_duration: 'system',
  model_error: 'system',
  /** The line broke, by a hang-up or a fault: only the carrier's callback tells which, so this is not final. */
  line_lost: 'system',
} as const;

export type EndReason = keyof typeof END_REASONS;

export interface ConversationResult {
  endedBy: (typeof END_REASONS)[EndReason];
  reason: EndReason;
}

export const resultOf = (reason: EndReason): ConversationResult => ({ endedBy: END_REASONS[reason], reason });
