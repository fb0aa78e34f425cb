/**
 * Events of a call session.
 *
 * `committed`: the customer's turn has ended, and the model can be asked; its words follow as a final `utterance` with
 * the same `turn`, later or never. `utterance`: what the customer said; a final one without words was a sound.
 * `reworded`: a text of `say` has other words where it is spoken, or none. `interrupted`: the customer talked over
 * the assistant, whose speech stopped; `heard` is its played part. `played`: a piece of the assistant's speech was
 * played; carriers that cannot report it never send it, nor `speaking`. `leaving`: another process continues the
 * session; nothing more can be sent, and events arrive until `closed`. `closed`: the session ended, by a hang-up or by
 * a broken socket; only the carrier's callback distinguishes them. With `playsOn` another process continues it, and
 * the carrier meanwhile plays the text that it has.
 */
export type CallSessionEvent =
  | { kind: 'committed'; turn: string; /** Milliseconds of voice. */ voicedMs: number }
  | { kind: 'utterance'; text: string; final: boolean; turn?: string }
  | { kind: 'reworded'; text: string; said: string }
  | { kind: 'interrupted'; heard: string }
  | { kind: 'digit'; digit: string }
  | { kind: 'speaking'; who: 'assistant' | 'customer'; on: boolean }
  | { kind: 'played'; text: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'leaving' }
  | { kind: 'closed'; playsOn?: true };

export interface SpeechOptions {
  /** The customer's voice or keys stop it. */
  interruptible: boolean;
  /** Newer speech stops it. */
  preemptible: boolean;
  /** It is left out where other speech would wait for it. */
  optional?: boolean;
}

/**
 * The conversation's side of a running call (Twilio: a ConversationRelay session): utterances in, speech out. The relay
 * socket, sessions over audio lines and the test fake implement it. Method calls after it closed are ignored.
 */
export interface CallSession {
  /**
   * The session plays audio of ours: it speaks no greeting by itself, and its `played` events report all playback, so
   * that nothing is estimated.
   */
  readonly playsAudio?: true;
  /** Each end of the customer's speech is followed by one final utterance, in order, which is empty without words. */
  readonly transcribesEach?: boolean;
  /** Maximum delay of the transcript after the end of the customer's speech, in milliseconds; absent: none. */
  readonly maxTranscriptDelayMs?: number;
  /** When voice of the customer was last measured, in milliseconds since the epoch; absent: it is not measured. */
  readonly lastVoiceAt?: number;
  /** When the carrier opened it and began to speak the greeting, in milliseconds since the epoch. */
  readonly openedAt: number;
  /** Speaks one token of a turn; `last` ends the turn (its token may be empty). */
  say(token: string, last: boolean, options: SpeechOptions): void;
  sendDigits(digits: string): void;
  /** Switches speech and recognition to this language (BCP 47), one of those of the call's settings. */
  switchLanguage(language: string): void;
  /** Ends the call; the reason is handed to the carrier's action URL. */
  end(reason: string): void;
  /**
   * Called when the session has closed. Resolves when all that the customer said before was reported as utterances,
   * after 3 s at the latest; absent: later words are not known.
   */
  waitForWords?(): Promise<void>;
  /** Sets the only listener, which first receives the events before its registration. */
  onEvent(listener: (event: CallSessionEvent) => void): void;
}

/** The assistant's settings for the call, independent of a carrier; adapters translate what they support. */
export interface RelaySettings {
  /** Spoken by the carrier when the session opens; null when the customer speaks first or the call resumes. */
  greeting: string | null;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  /** Languages that the call may change to, in the same form. */
  otherLanguages: readonly string[];
  voice: { provider: string; voice: string };
  /** The carrier refused the voice: the language's own speaks. */
  defaultVoice?: boolean;
  /** 0–1, from the assistant; only where the provider takes it. */
  voiceStability: number;
  voiceSimilarity: number;
  /** 0.7–1.2 */
  speechSpeed: number;
  allowInterruptions: boolean;
  /** Seconds of the customer's speech that it takes to interrupt, 0–5. */
  interruptSensitivity: number;
  /** Words that stop the assistant's speech; with 0 and 1 the first sound does. */
  minInterruptWords: number;
  endpointType: 'vad' | 'ai';
  /** Seconds of silence that a slow speaker may take, 0–5. */
  endpointSensitivity: number;
  noiseCancellation: boolean;
  /** Whether a background sound is wanted. */
  ambientSound: boolean;
  /** 0–1 */
  ambientSoundVolume: number;
  record: boolean;
  /** The language model gets no card numbers and ids of the customer. */
  redacts?: boolean;
}
