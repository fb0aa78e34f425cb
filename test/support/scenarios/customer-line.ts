import type { Said, SpeechQueue } from './speech-queue.js';
import type { Prompt, WordsAfter } from './recognition.js';
import type { Moment } from './scenario.types.js';

/** Attributes of an answer document by `Element.attribute`. */
export type Attributes = ReadonlyMap<string, string>;

export interface LineEvents {
  moment(moment: Moment): void;
  /** The service asked for the end of the session. */
  ended(): void;
}

/** Keys that the assistant pressed. `at`: milliseconds of the clock. */
export interface PressedKeys {
  digits: string;
  at: number;
}

/** The customer's telephone, whatever carries the call between carrier and service. */
export interface CustomerLine {
  readonly speech: SpeechQueue;
  /** What the customer heard, speech by speech. */
  readonly said: readonly Said[];
  /** The utterances of the customer whose words the service got. */
  readonly prompts: readonly Prompt[];
  /** Keys that the assistant pressed, without those that it talked over. */
  readonly keysPressed: PressedKeys[];
  /** What the service handed over at the end of the last session; an audio line hands nothing over. */
  readonly handoff: { HandoffData?: string };
  /** The carrier says something without a session. */
  announce(text: string, language: string): void;
  /** The customer says something. Resolves when it is said: its words are known later. */
  customer(text: string, takesMs: number, wordsAfterMs?: WordsAfter): Promise<void>;
  /** A sound without words. */
  noise(ms: number): Promise<void>;
  keys(digits: string): Promise<void>;
  frame(frame: object | string): void;
  /** The session is over, whoever ended it. */
  disconnect(): void;
}
