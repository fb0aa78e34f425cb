/** Who a conversation is ended by, for each reason that it can have. */
export const END_REASONS = {
  customer_hangup: 'customer',
  goodbye: 'assistant',
  stop_calling: 'assistant',
  voicemail: 'system',
  silence: 'system',
  /** A person has the call, or is being called. */
  transferred: 'assistant',
  max_duration: 'system',
  model_error: 'system',
  /** The session closed by a hang-up or a fault: only the carrier's callback tells which, so this is not final. */
  line_lost: 'system',
} as const;

export type EndReason = keyof typeof END_REASONS;

export const isEndReason = (text: string): text is EndReason => Object.hasOwn(END_REASONS, text);

export interface ConversationResult {
  endedBy: (typeof END_REASONS)[EndReason];
  reason: EndReason;
}

export const resultOf = (reason: EndReason): ConversationResult => ({ endedBy: END_REASONS[reason], reason });

/** One parameter of a tool: what the model has to find in the conversation. */
export interface ToolParameter {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
}

export interface ConversationTool {
  id: number;
  name: string;
  description: string;
  parameters: readonly ToolParameter[];
}

export const FILLER_MOODS = ['neutral', 'positive', 'negative', 'question'] as const;
export type FillerMood = (typeof FILLER_MOODS)[number];
/** Fillers that may be spoken while the model works, by the kind of the customer's last utterance. */
export type FillerPhrases = Partial<Record<FillerMood, readonly string[]>>;

/** A language that a call may be held in. */
export interface CallLanguage {
  /** BCP 47, e.g. `en-US`. */
  tag: string;
  fillers: FillerPhrases | null;
}

/** A person, or a group of people, that a call can be handed over to. */
export interface TransferTarget {
  name: string;
  /** E.164 */
  phoneNumber: string;
  /** When calls are handed over to it, in the assistant's words. */
  description: string | null;
}

/** Settings of one conversation; variables in texts are already filled in, but for `prompt`. */
export interface ConversationSettings {
  model: string;
  /** Asked when `model` has sent nothing useful after `fallbackAfterMs`, or fails before; null: none. */
  fallbackModel: string | null;
  fallbackAfterMs: number;
  /** 0–1 */
  temperature: number;
  systemPrompt: string;
  /** What `systemPrompt` is in all conversations of the assistant. */
  prompt: string;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  /** What the customer may have the call changed to. */
  otherLanguages: readonly CallLanguage[];
  /** Greeting that the carrier speaks when the session opens, with disclosures; null: the customer speaks first. */
  greeting: string | null;
  /** What the law wants said before anything else the assistant says; also part of the greeting. Null: nothing. */
  notice: string | null;
  /** The carrier said the notice before the session began, so that the greeting goes on after it. */
  noticeSaid?: boolean;
  tools: readonly ConversationTool[];
  /** Who the call may be handed over to. */
  transferTargets: readonly TransferTarget[];
  /** When the model is to end the call, in the assistant's words. */
  endCallDescription: string | null;
  /** Whether the assistant may press keys: who answers may be a recorded menu. */
  pressesKeys: boolean;
  /** The customer's clock when the call began, where an appointment can be made; zone null: not known, it is UTC. */
  callback: { zone: string | null; begun: string } | null;
  allowInterruptions: boolean;
  /** Words that interrupt the assistant; with 0 and 1 the carrier stops speech at the first sound. */
  minInterruptWords: number;
  fillers: FillerPhrases | null;
  /** The voice's speed, 1 is normal; from it follows what was heard at a given moment. */
  speechSpeed: number;
  reengagementSeconds: number;
  maxSilenceSeconds: number;
  maxDurationSeconds: number;
  /** What the model is to do when the customer is silent; null: what the engine asks of it. */
  reengagementPrompt: string | null;
  /** Until the customer's first word; null: `maxSilenceSeconds`. */
  maxInitialSilenceSeconds: number | null;
}
