import { decodeMulaw } from '../speech/mulaw.js';
import { DtmfDetector } from '../speech/dtmf-detector.js';
import { SpeechDecoder } from '../speech/speech-code.js';
import { ToneDecoder, type RecognisedSpeech } from '../speech/tones.js';
import type { PlayedSpeech } from './playback.js';

const FRAME_MS = 20;
const SAMPLE_RATE = 8_000;
/** Real milliseconds of silence after which the assistant's turn counts as ended. */
export const END_OF_TURN_MS = 700;
/** The same in the middle of a sentence whose rest is late on a busy machine; a later rest is another turn. */
const UNENDED_MS = 3_000;
/** Root mean square of speech, of 32,768: a background sound is quieter. */
const QUIETEST_SPEECH = 3_000;

export interface HearingListener {
  assistantStarted(): void;
  assistantEnded(speech: PlayedSpeech): void;
  keyPressed(key: string): void;
}

/** Recognises the played audio: words, in either code of the sandbox's speech, and keys. */
export class StreamHearing {
  private readonly bytes = new SpeechDecoder();
  private readonly tones = new ToneDecoder(SAMPLE_RATE);
  private readonly keys = new DtmfDetector();
  private text: string | null = null;
  private isInBytes = false;
  private silentMs = 0;

  constructor(private readonly listener: HearingListener) {}

  /** 20 ms were played. @returns whether speech is audible in them */
  hear(frame: Buffer): boolean {
    const samples = decodeMulaw(frame);
    const words = this.wordsIn(frame, samples);
    const { isTone, key } = this.keys.take(frame);
    if (key !== null) this.listener.keyPressed(key);
    const isSpoken = !isTone && isLoud(samples);
    this.silentMs = isSpoken ? 0 : this.silentMs + FRAME_MS;
    if (isSpoken && this.text === null) {
      this.text = '';
      this.listener.assistantStarted();
    }
    if (this.text === null) return isSpoken;
    this.text += words;
    if (this.silentMs >= (this.tones.inText ? UNENDED_MS : END_OF_TURN_MS))
      this.tell(this.tones.pause(), true, 0);
    return isSpoken;
  }

  /** The playback of this turn ends. @param whole false: interrupted @param lateMs as in `PlayedSpeech` */
  endTurn(whole: boolean, lateMs = 0): void {
    this.tell(this.tones.end(), whole, lateMs);
  }

  private tell(rest: RecognisedSpeech | null, whole: boolean, lateMs: number): void {
    if (this.text === null) return;
    const played = (this.text + (rest?.text ?? '')).trim();
    this.text = null;
    this.isInBytes = false;
    this.listener.assistantEnded({ played, heard: played, whole: whole && rest === null, lateMs });
  }

  private wordsIn(frame: Buffer, samples: Int16Array): string {
    const words = this.bytes.push(frame);
    if (words !== '') this.isInBytes = true;
    if (this.isInBytes) return words;
    return this.tones
      .push(samples)
      .map(({ text }) => `${text} `)
      .join('');
  }
}

const isLoud = (samples: Int16Array): boolean =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) >= QUIETEST_SPEECH;
