import type { TranscriptionEvent } from '../transcriber.js';
import type { FluxEvent } from './flux-messages.js';

const wordsOf = (transcript: string): string[] => transcript.split(/\s+/).filter((word) => word !== '');

/**
 * Derives utterances from Flux's turns. An eager end of turn ends the utterance: its response starts, and is discarded
 * unspoken when the customer continues. The rest of the same turn is the next utterance.
 */
export class FluxUtterances {
  private isOpen = false;
  /** Number of words of the turn in final events. */
  private reportedWords = 0;
  /** Speech was detected that is in no final event yet. */
  private hasUnreported = false;

  constructor(private readonly onEvent: (event: TranscriptionEvent) => void) {}

  get inTurn(): boolean {
    return this.isOpen;
  }

  handleEvent(event: FluxEvent, transcript: string): void {
    this.isOpen = event !== 'EndOfTurn';
    const words = wordsOf(transcript);
    const text = words.slice(this.reportedWords).join(' ');
    if (event === 'EagerEndOfTurn') {
      this.emitFinal(text, words.length);
    } else if (event === 'EndOfTurn') {
      // The end repeats the transcript of the eager end, unless the customer continued.
      if (this.hasUnreported || text !== '') this.emitFinal(text, 0);
      this.reportedWords = 0;
    } else {
      if (event !== 'Update' || text !== '') this.hasUnreported = true;
      if (text !== '') this.onEvent({ kind: 'partial', text });
    }
  }

  private emitFinal(text: string, reportedWords: number): void {
    this.reportedWords = reportedWords;
    this.hasUnreported = false;
    this.onEvent({ kind: 'final', text });
  }
}
