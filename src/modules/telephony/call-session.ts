/**
 * What happened on the line.
 *
 * `interrupted`: the customer talked over the assistant, whose speech stopped; `heard` is what of it was
 * played before. `played`: a piece of the assistant's speech was played; lines that cannot tell never send
 * it, nor `speaking`. `closed`: the line is gone, by a hang-up or by a broken socket: only the carrier's
 * callback can tell which.
 */
export type CallSessionEvent =
  | { kind: 'utterance'; text: string; final: boolean }
  | { kind: 'interrupted'; heard: string }
  | { kind: 'digit'; digit: string }
  | { kind: 'speaking'; who: 'assistant' | 'customer'; on: boolean }
  | { kind: 'played'; text: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'closed' };

export interface SpeechOptions {
  /** The customer's voice or keys stop it. */
  interruptible: boolean;
  /** Speech that is said later stops it. */
  preemptible: boolean;
}

/**
 * One live line to a person, free of transport: the relay socket and the test's fake implement it alike.
 * Calls after the line closed are ignored.
 */
export interface CallSession {
  /** Speaks one token of a turn; `last` ends the turn (its token may be empty). */
  say(token: string, last: boolean, options: SpeechOptions): void;
  sendDigits(digits: string): void;
  /** Ends the call; the reason is handed to the carrier's action URL. */
  end(reason: string): void;
  /** One listener; what happened before it came is told to it first. */
  onEvent(listener: (event: CallSessionEvent) => void): void;
}

/** What the assistant asks of the line, in the service's own terms; an adapter translates what it can. */
export interface RelaySettings {
  /** Spoken by the carrier when the line opens; null when the customer speaks first or the call resumes. */
  greeting: string | null;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  voice: { provider: string; voice: string };
  /** 0–1, from the assistant; only where the provider takes it. */
  voiceStability: number;
  voiceSimilarity: number;
  /** 0.7–1.2 */
  speechSpeed: number;
  allowInterruptions: boolean;
  /** 0–5, more is quicker to stop. */
  interruptSensitivity: number;
  /** Words that stop the assistant's speech; with 0 and 1 the first sound does. */
  minInterruptWords: number;
  endpointType: 'vad' | 'ai';
  /** 0–5, more is quicker to take the customer's turn for ended. */
  endpointSensitivity: number;
  noiseCancellation: boolean;
  /** Whether a background sound is wanted. */
  ambientSound: boolean;
  record: boolean;
}
