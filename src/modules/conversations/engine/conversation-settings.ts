/** `ended_by` of each end reason. */
export const END_REASONS = {
  customer_hangup: 'customer',
  goodbye: 'assistant',
  stop_calling: 'assistant',
  voicemail: 'system',
  silence: 'system',
  /** The call was, or is being, transferred to a person. */
  transferred: 'assistant',
  max_duration: 'system',
  model_error: 'system',
  /** The session closed by a hang-up or a failure. Not final: the carrier's callback decides which. */
  line_lost: 'system',
} as const;

export type EndReason = keyof typeof END_REASONS;

export const isEndReason = (text: string): text is EndReason => Object.hasOwn(END_REASONS, text);

export interface ConversationResult {
  endedBy: (typeof END_REASONS)[EndReason];
  reason: EndReason;
}

export const toConversationResult = (reason: EndReason): ConversationResult => ({
  endedBy: END_REASONS[reason],
  reason,
});

/** One parameter of a tool, filled by the model from the conversation. */
export interface FunctionParameter {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
}

export interface ConversationTool {
  id: number;
  name: string;
  description: string;
  parameters: readonly FunctionParameter[];
}

export const FILLER_MOODS = ['neutral', 'positive', 'negative', 'question'] as const;
export type FillerMood = (typeof FILLER_MOODS)[number];
/** Fillers that may be spoken while the model works, by the kind of the customer's last utterance. */
export type FillerPhrases = Partial<Record<FillerMood, readonly string[]>>;

/** A language of a call. */
export interface CallLanguage {
  /** BCP 47, e.g. `en-US`. */
  tag: string;
  fillers: FillerPhrases | null;
}

/** A person, or a group of people, to whom a call can be transferred. */
export interface TransferTarget {
  name: string;
  /** E.164 */
  phoneNumber: string;
  /** When to transfer calls to it, in the words of the assistant's settings. */
  description: string | null;
}

/** Settings of one conversation; variables in texts are filled in, except in `prompt`. */
export interface ConversationSettings {
  model: string;
  /** Requested when `model` has sent nothing useful after `fallbackAfterMs`, or fails before; null: none. */
  fallbackModel: string | null;
  fallbackAfterMs: number;
  /** 0–1 */
  temperature: number;
  systemPrompt: string;
  /** The template of `systemPrompt`, the same in all conversations of the assistant. */
  prompt: string;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  /** Further languages that the customer may choose. */
  otherLanguages: readonly CallLanguage[];
  /** Greeting that the carrier speaks when the session opens, with disclosures; null: the customer speaks first. */
  greeting: string | null;
  /** Legal notice before any other speech of the assistant; also part of the greeting. Null: none. */
  notice: string | null;
  /** The carrier spoke the notice before the session, so that the greeting continues after it. */
  noticeSaid?: boolean;
  tools: readonly ConversationTool[];
  /** Available transfer targets. */
  transferTargets: readonly TransferTarget[];
  /** When to end the call, in the words of the assistant's settings. */
  endCallDescription: string | null;
  /** Whether the assistant may press keys, for calls answered by a recorded menu. */
  pressesKeys: boolean;
  /** The customer's local time at the start of the call, where a callback can be booked; zone null: unknown, UTC. */
  callback: { zone: string | null; begun: string } | null;
  allowInterruptions: boolean;
  /** Words that interrupt the assistant; with 0 and 1 the carrier stops speech at the first sound. */
  minInterruptWords: number;
  fillers: FillerPhrases | null;
  /** The voice's speed, 1 is normal; used to estimate the heard part of speech. */
  speechSpeed: number;
  reengagementSeconds: number;
  maxSilenceSeconds: number;
  maxDurationSeconds: number;
  /** Instruction to the model when the customer is silent; null: the engine's. */
  reengagementPrompt: string | null;
  /** Until the customer's first word; null: `maxSilenceSeconds`. */
  maxInitialSilenceSeconds: number | null;
}
