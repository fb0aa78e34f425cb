import type { Speech } from './speech.js';

export interface InterruptedSpeech {
  speech: Speech;
  heard: string;
}

export interface PlaybackListener {
  /** A piece of a speech was played. */
  pieceReported(speech: Speech): void;
  /** A speech was played to its end. */
  speechPlayed(speech: Speech): void;
  /** A speech has other words than before. */
  speechReworded(speech: Speech): void;
  /** Speech was stopped after a barge-in. */
  speechStopped(cuts: InterruptedSpeech[]): void;
}
