import { interimOf, spaced } from '../speech/recognition-delay.js';
import type { Heard } from './ear.js';

/** Milliseconds of silence after a finished sentence until the eager and the final end of a turn. */
const EAGER_MS = 240;
const END_MS = 480;

export interface FluxSettings {
  /** 1: the model ends no turn. */
  endThreshold: number;
  /** Null: no eager ends. */
  eagerThreshold: number | null;
  timeoutMs: number;
  /** Of audio, between two events. */
  updateMs: number;
  /** False: nothing ends a turn. */
  hasEnds: boolean;
}

export type TurnEvent = 'StartOfTurn' | 'Update' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn';
type Tell = (event: TurnEvent, transcript: string, trigger?: string) => void;

/**
 * The turns of Flux, by the audio's own time: a sentence with punctuation ends soon, one without only after the
 * timeout. An eager end is reported for any sentence, and withdrawn when the customer continues. Without another event
 * there is an update every 250 ms, also of silence.
 */
export class FluxTurn {
  private transcript = '';
  private silentMs = 0;
  private isOpen = false;
  private isEager = false;
  /** Of audio since the last event. */
  private unreportedMs = 0;

  constructor(
    private readonly settings: FluxSettings,
    private readonly tell: Tell,
  ) {}

  /** @param ms of the piece of audio */
  hear({ words, silentMs }: Heard, ms: number): void {
    this.transcript += words;
    this.silentMs = silentMs;
    this.unreportedMs += ms;
    if (!this.isOpen && this.interim !== '') this.report('StartOfTurn');
    if (this.isEager && words !== '') this.report('TurnResumed');
    if (this.isOpen && this.settings.hasEnds) this.endInSilence();
    if (this.unreportedMs >= this.settings.updateMs) this.report('Update');
  }

  /** No event without a turn in progress. */
  force(): void {
    if (this.isOpen && this.settings.hasEnds) this.end('manual');
  }

  private get interim(): string {
    return interimOf(this.transcript, this.silentMs);
  }

  private endInSilence(): void {
    const { endThreshold, eagerThreshold, timeoutMs } = this.settings;
    if (eagerThreshold !== null && !this.isEager && this.silentMs >= EAGER_MS) this.report('EagerEndOfTurn');
    const isFinished = /[.!?]\s*$/.test(this.transcript) && endThreshold < 1;
    if (this.silentMs >= timeoutMs || (isFinished && this.silentMs >= END_MS)) this.end('model');
  }

  private report(event: TurnEvent): void {
    this.unreportedMs = 0;
    if (event !== 'Update') {
      this.isOpen = true;
      this.isEager = event === 'EagerEndOfTurn';
    }
    this.tell(event, this.isEager ? spaced(this.transcript) : this.interim);
  }

  private end(trigger: string): void {
    const { transcript } = this;
    this.transcript = '';
    this.isOpen = this.isEager = false;
    this.unreportedMs = 0;
    this.tell('EndOfTurn', spaced(transcript), trigger);
  }
}
