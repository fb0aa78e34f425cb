import { WINDOW_MS } from './silero-model.js';

/** Probability from which a voice begins, and below which it ends, as the model's authors recommend. */
const BEGIN_PROBABILITY = 0.5;
const END_PROBABILITY = 0.35;
/** Windows of which the loudness is compared, 128 ms: single windows of one voice differ by more than 10 dB. */
const COMPARED_WINDOWS = 4;
/** Power ratio. */
const decibels = (value: number): number => 10 ** (value / 10);
/** The customer begins to speak when louder than the voices behind them by this … */
const BEGIN_ABOVE_OTHERS = decibels(7);
/** … and speaks until they are quieter than this above the voices behind them … */
const END_ABOVE_OTHERS = decibels(3.5);
/** … or than this below the loudest part of what they say, which counts half as much after 4 s … */
const END_BELOW_LOUDEST = decibels(-9);
const LOUDEST_DECAY = 0.25 ** (WINDOW_MS / 4_000);
/** … for this many windows, 320 ms: the pauses between syllables are shorter. */
const PAUSE_WINDOWS = 10;
/** … of which more than this many, 96 ms, count only while they are above the others and this near to the loudest. */
const SYLLABLE_WINDOWS = 3;
const SYLLABLE_BELOW_LOUDEST = decibels(-13);
/** Where it is quieter by this then, the voice in the pause was the end of their own words. */
const QUIET = decibels(-10);
/** A voice so much quieter than the customer's is somebody else's, also after silence … */
const FAR = decibels(-18);
/** … unless the customer's has been forgotten: its loudness falls to a half in 30 s in which there are voices. */
const LEVEL_DECAY = 0.25 ** (WINDOW_MS / 30_000);
/** Voice that begins less than this after the customer's, 1.5 s, is theirs if it is about as loud. */
const SOON_WINDOWS = Math.round(1_500 / WINDOW_MS);
/** What is heard first in a call, for half a second, is behind the customer: a television was on before. */
const FIRST_WINDOWS = 16;
/** A person who spoke first and is silent is forgotten in 0.25 s, a background goes on. */
const FORGOTTEN_SHARE = WINDOW_MS / 250;
/** Share of a window in the loudness of the others, an average of about 2 s with their pauses. */
const OTHERS_SHARE = WINDOW_MS / 2_000;

/**
 * Distinguishes the customer from voices behind them (a television, a room full of people), which the model takes for
 * voices, by loudness.
 *
 * A voice after silence is the customer's, however quiet: they speak more quietly than before, or somebody else took
 * the telephone. A voice that goes on below that of the customer is not theirs, and from then on the customer is who is
 * louder than it, until there is silence again. A television that is switched on in silence is thus taken for the
 * customer until the customer speaks, unless it is much quieter; one that is on at the start of the call is not.
 *
 * The numbers are those with the most words found and the fewest false begins in `npm run bench -- voice`, with
 * recorded and synthesised voices. All loudness is power: the square of the root mean square.
 */
export class SpeakerLevel {
  private recent: number[] = [];
  private isSpeaking = false;
  /** The loudest of what the customer says now, and of the call. */
  private loudest = 0;
  private level = 0;
  private others = 0;
  /** Of the first windows those with a voice. */
  private first: number[] = [];
  private windows = 0;
  /** Windows since the customer was last loud enough. */
  private silence = Infinity;
  /** Voice since the customer was last loud enough. */
  private pause: number[] = [];

  /**
   * Whether a window is the customer's voice.
   *
   * @param probability of a voice, by the model
   * @param loudness root mean square of the window
   */
  accepts(probability: number, loudness: number): boolean {
    const isVoice = probability >= END_PROBABILITY;
    this.windows += 1;
    if (this.windows <= FIRST_WINDOWS) return this.addFirst(isVoice, loudness ** 2);
    const voice = isVoice ? loudness ** 2 : 0;
    this.recent = [...this.recent, loudness ** 2].slice(-COMPARED_WINDOWS);
    const power = mean(this.recent);
    this.silence += 1;
    if (isVoice) this.level *= LEVEL_DECAY;
    if (this.isSpeaking ? isVoice && this.continues(power) : this.begins(probability, power)) {
      this.loudest = Math.max(power, this.isSpeaking ? this.loudest * LOUDEST_DECAY : 0);
      this.level = Math.max(this.level, power);
      this.isSpeaking = true;
      this.pause = [];
      this.silence = 0;
    } else if (this.isSpeaking) this.addPause(voice, power);
    else this.others += this.othersShare(isVoice) * (voice - this.others);
    return isVoice && this.isSpeaking && (this.pause.length <= SYLLABLE_WINDOWS || this.isSyllable(power));
  }

  private addFirst(isVoice: boolean, power: number): false {
    if (isVoice) this.first.push(power);
    if (this.windows === FIRST_WINDOWS && this.first.length > 0) this.others = mean(this.first);
    return false;
  }

  private othersShare(isVoice: boolean): number {
    return this.level === 0 && !isVoice ? FORGOTTEN_SHARE : OTHERS_SHARE;
  }

  private begins(probability: number, power: number): boolean {
    return (
      probability >= BEGIN_PROBABILITY &&
      power >= this.others * BEGIN_ABOVE_OTHERS &&
      (this.silence > SOON_WINDOWS || power >= this.loudest * END_BELOW_LOUDEST) &&
      power >= this.level * FAR
    );
  }

  private continues(power: number): boolean {
    return this.isAbove(power, END_BELOW_LOUDEST);
  }

  private isSyllable(power: number): boolean {
    return this.isAbove(power, SYLLABLE_BELOW_LOUDEST);
  }

  private isAbove(power: number, belowLoudest: number): boolean {
    return power >= this.others * END_ABOVE_OTHERS && power >= this.loudest * belowLoudest;
  }

  private addPause(voice: number, power: number): void {
    this.pause.push(voice);
    if (this.pause.length < PAUSE_WINDOWS) return;
    this.isSpeaking = false;
    const others = mean(this.pause);
    if (power >= others * QUIET) this.others = Math.max(this.others, others);
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
