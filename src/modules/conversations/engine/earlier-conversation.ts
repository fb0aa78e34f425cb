import type { TurnTimings } from './conversation-recorder.js';

/** Stored entry of a conversation with a broken session. */
export type HistoryEntry =
  | { role: 'assistant'; seq: number; text: string }
  | { role: 'customer'; seq: number; text: string }
  | { role: 'filler'; seq: number }
  | { role: 'tool'; seq: number; name: string; arguments: Record<string, unknown>; answer: string };

/** A stored turn of the assistant without confirmed playback. */
export interface SentSpeech {
  /** As in the history. */
  seq: number;
  text: string;
  timings: TurnTimings;
}

/** The stored part of a conversation that resumes after its session broke. */
export interface EarlierConversation {
  history: readonly HistoryEntry[];
  /** Duration of the call so far; counts towards its limit. */
  elapsedSeconds: number;
  /** The carrier speaks the greeting again, because it was not heard. */
  repeatsGreeting?: boolean;
  /** Turns that the same session may still be playing; null: the session is new. */
  playing?: readonly SentSpeech[] | null;
  /** The transfer failed, and the customer has not been notified. */
  transferFailed?: boolean;
  /** The last response was sent in full to the same session: it is the customer's turn. */
  isAnswered?: boolean;
}
