/**
 * What happened on the line.
 *
 * `interrupted`: the customer talked over the assistant, whose speech stopped; `heard` is what of it was
 * played before. `played`: a piece of the assistant's speech was played; lines that cannot tell never send
 * it, nor `speaking`. `closed`: the line is gone, by a hang-up or by a broken socket: only the carrier's
 * callback can tell which.
 */
export type LegEvent =
  | { kind: 'utterance'; text: string; final: boolean }
  | { kind: 'interrupted'; heard: string; afterMs: number }
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
export interface Leg {
  /** Speaks one token of a turn; `last` ends the turn (its token may be empty). */
  say(token: string, last: boolean, options: SpeechOptions): void;
  sendDigits(digits: string): void;
  /** Ends the call; the reason is handed to the carrier's action URL. */
  end(reason: string): void;
  /** One listener; what happened before it came is told to it first. */
  onEvent(listener: (event: LegEvent) => void): void;
}
