import type { TranscriptionEvent } from '../transcriber.js';
import type { FluxEvent } from './flux-messages.js';

const wordsOf = (transcript: string): string[] => transcript.split(/\s+/).filter((word) => word !== '');

/** Eager ends that are taken back, for each turn on average: a turn has at most 1.6 requests of the model. */
const REVOKED_PER_TURN = 0.6;
/** The same, one after the other. */
const MAX_REVOKED = 3;

/**
 * Derives utterances from Flux's turns. An eager end of turn ends the utterance: its response starts, and is discarded
 * unspoken when the customer continues. The rest of the same turn is the next utterance. Customers who often continue
 * are waited for, see `REVOKED_PER_TURN`.
 */
export class FluxUtterances {
  private isOpen = false;
  /** Number of words of the turn in final events. */
  private reportedWords = 0;
  /** Speech was detected that is in no final event yet. */
  private hasUnreported = false;
  /** All words of the turn. */
  private words: string[] = [];
  /** Those from an earlier stream. */
  private earlierWords: readonly string[] = [];
  /** Eager ends that may still be taken back. */
  private revocable = 1;
  /** An eager end of the turn was reported, and is not revoked. */
  private hasEnded = false;

  constructor(private readonly onEvent: (event: TranscriptionEvent) => void) {}

  get isInTurn(): boolean {
    return this.isOpen;
  }

  /** Whether words of the turn are in no final event yet. */
  get hasWords(): boolean {
    return this.hasUnreported && this.words.length > this.reportedWords;
  }

  handleEvent(event: FluxEvent, transcript: string): void {
    this.isOpen = event !== 'EndOfTurn';
    const words = (this.words = [...this.earlierWords, ...wordsOf(transcript)]);
    const text = words.slice(this.reportedWords).join(' ');
    const isEager = event === 'EagerEndOfTurn' && this.revocable >= 1;
    // More words after an eager end, with or without a report of it, are another request.
    if (this.hasEnded && (event === 'TurnResumed' || text !== '')) this.revokeEnd();
    if (isEager) {
      this.hasEnded = true;
      this.emitFinal(text, words.length);
    } else if (event === 'EndOfTurn') {
      this.hasEnded = false;
      this.revocable = Math.min(MAX_REVOKED, this.revocable + REVOKED_PER_TURN);
      // The end repeats the transcript of the eager end, unless the customer continued.
      if (this.hasUnreported || text !== '') this.emitFinal(text, 0);
      this.reportedWords = 0;
      this.words = [];
      this.earlierWords = [];
    } else {
      if (event !== 'Update' || text !== '') this.hasUnreported = true;
      if (text !== '') this.onEvent({ kind: 'partial', text });
    }
  }

  /** Ends the utterance with the known words; the end of the turn may follow, and does not repeat them. */
  endWithKnownWords(): void {
    if (this.hasWords) this.emitFinal(this.words.slice(this.reportedWords).join(' '), this.words.length);
  }

  /** @param keepsWords false: the next stream transcribes the turn from its beginning */
  continueInNextStream(keepsWords: boolean): void {
    if (keepsWords) this.earlierWords = this.words;
  }

  private revokeEnd(): void {
    this.hasEnded = false;
    this.revocable -= 1;
  }

  private emitFinal(text: string, reportedWords: number): void {
    this.reportedWords = reportedWords;
    this.hasUnreported = false;
    this.onEvent({ kind: 'final', text });
  }
}
