import type { TurnTimings } from './conversation-recorder.js';

/** Stored part of a conversation whose session broke. `seq` is the number it was stored with. */
export type HistoryEntry =
  | { role: 'assistant'; seq: number; text: string }
  | { role: 'customer'; seq: number; text: string }
  | { role: 'tool'; seq: number; name: string; arguments: Record<string, unknown>; answer: string };

/** A stored turn of the assistant that was sent to the session and is not known to be heard. */
export interface SentSpeech {
  /** As in the history. */
  seq: number;
  text: string;
  timings: TurnTimings;
}

/** A conversation that resumes after its session broke; the earlier turns are known. */
export interface EarlierConversation {
  history: readonly HistoryEntry[];
  /** How long the call has lasted; counts towards its limit. */
  elapsedSeconds: number;
  /** The carrier speaks the greeting again, because it was not heard. */
  repeatsGreeting?: boolean;
  /** What the same session may still be playing; null: the session is a new one. */
  playing?: readonly SentSpeech[] | null;
  /** The call came back: nobody whom it was handed over to could be reached, and the customer has not been told. */
  transferFailed?: boolean;
  /** The same session was sent the last answer in full: it is the customer's turn. */
  isAnswered?: boolean;
}
