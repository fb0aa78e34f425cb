/**
 * The actions of a callee. Times are milliseconds of simulated time, divided by the sandbox's speed. Every wait
 * rejects when the call ends, so that scripts require no checks.
 */
export interface Line {
  /** The assistant's next utterance; null when the assistant is silent for longer than a person waits. */
  listen(): Promise<string | null>;
  /** Resolves once the assistant is speaking. */
  untilAssistantSpeaks(): Promise<void>;
  /** Whether the assistant speaks now, or has speech that the script has not read yet. */
  hasMoreToHear(): boolean;
  say(text: string): Promise<void>;
  /** A cough: the carrier treats it as speech until it recognises no words. */
  makeNoise(): Promise<void>;
  /** The tone after which a machine records. */
  beep(): Promise<void>;
  /** A recording ends without a tone. */
  fallSilent(): void;
  press(digit: string): Promise<void>;
  /** The next key of the assistant; null without a key for `ms`. Earlier keys count. */
  key(ms: number): Promise<string | null>;
  wait(ms: number): Promise<void>;
}

/** A callee's script for an answered call; the callee hangs up when it returns. */
export type Talk = (line: Line) => Promise<void>;
