import { askedIn } from '../model-name.js';
import type { Heard } from './ear.js';

/** A longer silence is between two utterances. */
const PAUSE_MS = 500;
/** Characters of the flawed utterance that are heard before. */
const HEARD_BEFORE = 10;

/**
 * Defects of recognisers over sockets, selected by the model's name. All that a socket hears before its first result of
 * words is one utterance, so that audio that is sent again to another socket is understood:
 *
 * - `breaks`: the connection breaks within its second utterance; `stalls`: from there on it sends nothing
 * - `no-finals`: neither a message nor silence ends an utterance: its results remain interim
 * - `busy`, `late`: `provider-speech.ts`, `recognition-delay.ts`
 */
export class RecogniserFlaws {
  readonly hasFinals: boolean;
  private hasStalled = false;
  private hasResult = false;
  private isFlawed = false;
  /** Of the first utterance, then of the flawed one. */
  private characters = 0;
  /** Of the longest silence since the last character. */
  private pauseMs = Infinity;

  /** @param breakOff ends the connection */
  constructor(
    private readonly model: string,
    private readonly breakOff: () => void,
  ) {
    this.hasFinals = !askedIn(model, ['no-finals']);
  }

  get isSilent(): boolean {
    return this.hasStalled;
  }

  /** A result was sent, which may be without words. */
  markResult(): void {
    this.hasResult ||= this.characters > 0;
  }

  hear({ words, silentMs }: Heard): void {
    this.pauseMs = Math.max(this.pauseMs, silentMs);
    if (words === '') return;
    if (this.hasResult && !this.isFlawed && this.pauseMs >= PAUSE_MS) {
      this.isFlawed = true;
      this.characters = 0;
    }
    this.pauseMs = 0;
    this.characters += words.length;
    if (!this.isFlawed || this.characters < HEARD_BEFORE) return;
    const flaw = askedIn(this.model, ['breaks', 'stalls']);
    if (flaw === 'breaks') this.breakOff();
    this.hasStalled ||= flaw === 'stalls';
  }
}
