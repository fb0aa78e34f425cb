/**
 * The actions of a callee. Times are milliseconds of simulated time, divided by the sandbox's speed. Every wait rejects
 * when the call is over, so that scripts need no checks.
 */
export interface Line {
  /** The next thing the assistant said; null when it stayed silent for longer than a person would wait. */
  listen(): Promise<string | null>;
  /** Resolves once the assistant is speaking. */
  untilAssistantSpeaks(): Promise<void>;
  /** Whether the assistant speaks right now, or has said something that was not listened to yet. */
  hasMoreToHear(): boolean;
  say(text: string): Promise<void>;
  /** A cough: the carrier takes it for speech until it finds no words in it. */
  makeNoise(): Promise<void>;
  /** The tone after which a machine records. */
  beep(): Promise<void>;
  /** A recording has ended without a tone. */
  fallSilent(): void;
  press(digit: string): Promise<void>;
  /** The next key that the assistant pressed; null when it pressed none for `ms`. Keys that came before count. */
  key(ms: number): Promise<string | null>;
  wait(ms: number): Promise<void>;
}

/** A callee's script for an answered call; the callee hangs up when it returns. */
export type Talk = (line: Line) => Promise<void>;
