import { BackgroundLevel } from '../audio/background-level.js';

/** Share of the difference by which a louder window raises the level. */
const RISE = 0.3;
/** The level falls to a half in this time, so that a quieter person is heard later. */
const HALF_LIFE_MS = 30_000;
const decibels = (value: number): number => 10 ** (value / 20);
/** A voice that is quieter than the level by more belongs to somebody far from the telephone … */
const FAR = decibels(-15.5);
/** … also in the quieter end of a word … */
const FAR_IN_WORD = decibels(-19);
/** … and a voice that is quieter by more than this, unless it is louder than the background by a factor. */
const NEAR = decibels(-9);
const ABOVE_BACKGROUND = 3;

/**
 * Distinguishes the customer from voices behind them (a television, a room full of people), which the model takes for
 * voices, by loudness.
 */
export class SpeakerLevel {
  /** Root mean square of the customer's loud windows, of 32,768. */
  private level = 0;
  private readonly background = new BackgroundLevel();

  /**
   * Whether a window is as loud as the customer.
   *
   * @param isVoice as the model classifies the window
   * @param inWord whether the window before was the customer's voice
   */
  accepts(loudness: number, isVoice: boolean, inWord: boolean, ms: number): boolean {
    const isNear = loudness >= this.level * NEAR || loudness >= this.background.level * ABOVE_BACKGROUND;
    const isFar = loudness < this.level * (inWord ? FAR_IN_WORD : FAR);
    this.level *= 0.5 ** (ms / HALF_LIFE_MS);
    if (isVoice && loudness > this.level) this.level += RISE * (loudness - this.level);
    this.background.addFrame(loudness, ms);
    return isNear && !isFar;
  }
}
