import type { TranscriptionEvent } from '../transcriber.js';
import type { FluxEvent } from './flux-messages.js';

const wordsOf = (transcript: string): string[] => transcript.split(/\s+/).filter((word) => word !== '');

/**
 * Makes utterances of Flux's turns. An eager end of a turn ends the utterance: the answer to it begins, and is given up
 * unspoken where the customer goes on. What follows in the same turn is the next utterance.
 */
export class FluxTurns {
  private isOpen = false;
  /** Words of the turn that were final. */
  private told = 0;
  /** Something is said, or was heard, that no final event has told. */
  private isDue = false;

  constructor(private readonly onEvent: (event: TranscriptionEvent) => void) {}

  get inTurn(): boolean {
    return this.isOpen;
  }

  take(event: FluxEvent, transcript: string): void {
    this.isOpen = event !== 'EndOfTurn';
    const words = wordsOf(transcript);
    const text = words.slice(this.told).join(' ');
    if (event === 'EagerEndOfTurn') {
      this.final(text, words.length);
    } else if (event === 'EndOfTurn') {
      // The transcript of an eager end is that of the end, unless the customer went on.
      if (this.isDue || text !== '') this.final(text, 0);
      this.told = 0;
    } else {
      if (event !== 'Update' || text !== '') this.isDue = true;
      if (text !== '') this.onEvent({ kind: 'partial', text });
    }
  }

  private final(text: string, told: number): void {
    this.told = told;
    this.isDue = false;
    this.onEvent({ kind: 'final', text });
  }
}
