import type { TranscriptionEvent } from '../transcriber.js';
import type { FluxEvent } from './flux-messages.js';
import { TurnWords } from './turn-words.js';
import { unreportedWords } from './unreported-words.js';

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
  /** The words of the turn in final events. */
  private reportedWords = '';
  /** Speech was detected that is in no final event yet. */
  private hasUnreported = false;
  private readonly words = new TurnWords();
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
    return this.hasUnreported && this.newWords !== '';
  }

  private get newWords(): string {
    return unreportedWords(this.words.text, this.reportedWords);
  }

  /** @param endsAt end of the transcribed audio in seconds of the stream; null: unknown */
  handleEvent(event: FluxEvent, transcript: string, endsAt: number | null = null): void {
    // Updates come in silence, too.
    this.isOpen = event !== 'EndOfTurn' && (this.isOpen || transcript !== '');
    this.words.update(transcript, endsAt, event.endsWith('EndOfTurn'));
    const text = this.newWords;
    const isEager = event === 'EagerEndOfTurn' && this.revocable >= 1;
    // More words after an eager end, with or without a report of it, are another request.
    if (this.hasEnded && (event === 'TurnResumed' || text !== '')) this.revokeEnd();
    if (isEager) {
      this.hasEnded = true;
      this.emitFinal(text);
    } else if (event === 'EndOfTurn') {
      this.hasEnded = false;
      this.revocable = Math.min(MAX_REVOKED, this.revocable + REVOKED_PER_TURN);
      // The end repeats the transcript of the eager end, unless the customer continued.
      if (this.hasUnreported || text !== '') this.emitFinal(text);
      this.reportedWords = '';
      this.words.clear();
    } else {
      if (event !== 'Update' || text !== '') this.hasUnreported = true;
      if (text !== '') this.onEvent({ kind: 'partial', text });
    }
  }

  /** Ends the utterance with the known words; the end of the turn may follow, and does not repeat them. */
  endWithKnownWords(): void {
    if (this.hasWords) this.emitFinal(this.newWords);
  }

  /** @param from seconds of this stream from which on the next one transcribes */
  continueInNextStream(from: number): void {
    this.words.continueInNextStream(from);
    this.isOpen = false;
  }

  private revokeEnd(): void {
    this.hasEnded = false;
    this.revocable -= 1;
  }

  private emitFinal(text: string): void {
    this.reportedWords = this.words.text;
    this.hasUnreported = false;
    this.onEvent({ kind: 'final', text });
  }
}
