/** Milliseconds of silence after a finished sentence until the eager and the final end of a turn. */
const EAGER_MS = 240;
const END_MS = 480;

export interface FluxSettings {
  /** 1: the model ends no turn. */
  endThreshold: number;
  /** Null: no eager ends. */
  eagerThreshold: number | null;
  timeoutMs: number;
}

export type TurnEvent = 'StartOfTurn' | 'Update' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn';
type Tell = (event: TurnEvent, transcript: string, trigger?: string) => void;

/**
 * The turns of Flux, by the audio's own time: a sentence with punctuation ends soon, one without only after the
 * timeout. An eager end is reported for any sentence, and withdrawn when the customer continues.
 */
export class FluxTurn {
  private transcript = '';
  private isOpen = false;
  private isEager = false;

  constructor(
    private readonly settings: FluxSettings,
    private readonly tell: Tell,
  ) {}

  /** @param silentMs since the last word */
  hear(words: string, silentMs: number): void {
    if (words !== '') this.words(words);
    if (!this.isOpen) return;
    const { endThreshold, eagerThreshold, timeoutMs } = this.settings;
    if (eagerThreshold !== null && !this.isEager && silentMs >= EAGER_MS) {
      this.isEager = true;
      this.tell('EagerEndOfTurn', this.transcript.trim());
    }
    const isFinished = /[.!?]\s*$/.test(this.transcript) && endThreshold < 1;
    if (silentMs >= timeoutMs || (isFinished && silentMs >= END_MS)) this.end('model');
  }

  /** No event without a turn in progress. */
  force(): void {
    if (this.isOpen) this.end('manual');
  }

  private words(words: string): void {
    const wasOpen = this.isOpen;
    const wasEager = this.isEager;
    this.isOpen = true;
    this.isEager = false;
    this.transcript += words;
    if (!wasOpen) this.tell('StartOfTurn', this.transcript.trim());
    else this.tell(wasEager ? 'TurnResumed' : 'Update', this.transcript.trim());
  }

  private end(trigger: string): void {
    const { transcript } = this;
    this.transcript = '';
    this.isOpen = this.isEager = false;
    this.tell('EndOfTurn', transcript.trim(), trigger);
  }
}
