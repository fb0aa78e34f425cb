import { ToneDecoder, toneSpeech } from '../../tooling/sandbox/speech/tones.js';
import { Browser } from './web-call.js';

const SAMPLE_RATE = 24_000;
const SAMPLES_PER_MS = 24;
/** A frame of the microphone: 40 ms. */
const FRAME_BYTES = 1_920;
const TICK_MS = 20;
/** What ends a turn, whatever the assistant's settings are. */
const PAUSE_MS = 1_000;

/** What the customer understood. `whole` is false for a word that was cut short. */
export interface HeardWord {
  text: string;
  whole: boolean;
}

/**
 * A browser on an audio line. It plays what it gets and tells how far, as docs/use/web-calls.md says; what it played is
 * understood byte by byte, and what it says is audio as well.
 */
export class AudioBrowser extends Browser {
  readonly heard: HeardWord[] = [];
  private queue: Buffer[] = [];
  private decoder = new ToneDecoder(SAMPLE_RATE);
  private received = 0;
  private played = 0;
  /** Of the piece that is playing. */
  private playedOfFirst = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param speed how many times as fast as in reality audio is played */
  static async openAudio(url: string, speed = 40, earlier?: AudioBrowser): Promise<AudioBrowser> {
    const browser = await AudioBrowser.open(url);
    if (earlier) browser.takeOver(earlier);
    let at = performance.now();
    browser.timer = setInterval(() => {
      const now = performance.now();
      browser.play((now - at) * speed);
      at = now;
    }, TICK_MS);
    void browser.closed.then(() => clearInterval(browser.timer));
    return browser;
  }

  /** All words that were heard whole. */
  get words(): string {
    return this.heard
      .filter(({ whole }) => whole)
      .map(({ text }) => text)
      .join('');
  }

  /** Resolves when words were heard that match. */
  async listens(wanted: RegExp): Promise<string> {
    await this.frame(() => wanted.test(this.words));
    return this.words;
  }

  /** The same, when nothing more is to be played and the service knows it: its captions follow what was played. */
  async listensOut(wanted: RegExp): Promise<void> {
    await this.frame(
      () => wanted.test(this.words) && wanted.test(this.captions('assistant')) && this.queue.length === 0,
    );
  }

  /** The words of all captions, of the customer only the final ones. */
  captions(who: 'assistant' | 'customer'): string {
    return this.frames
      .filter((frame) => frame.type === 'caption' && frame['who'] === who)
      .map((frame) => (who === 'customer' && frame['last'] !== true ? '' : String(frame['text'])))
      .join('');
  }

  /** Speaks at once, as after a stall of the network, and is silent then. */
  talks(text: string): void {
    const speech = toneSpeech(text, SAMPLE_RATE);
    const pause = new Int16Array((SAMPLE_RATE * PAUSE_MS) / 1_000);
    for (const samples of [speech, pause]) {
      const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
      for (let at = 0; at < audio.length; at += FRAME_BYTES)
        this.socket.send(audio.subarray(at, at + FRAME_BYTES));
    }
  }

  protected override receiveAudio(audio: Buffer): void {
    this.queue.push(audio);
    this.received += audio.length;
  }

  protected override receiveFrame(frame: { type: string; place?: unknown }): void {
    if (frame.type === 'clear') this.skipTo(Number(frame.place));
    // Of another process: nothing of what was on its way comes any more.
    else if (frame.type === 'ready') this.skipTo(0);
  }

  private takeOver(earlier: AudioBrowser): void {
    clearInterval(earlier.timer);
    this.heard.push(...earlier.heard);
    this.queue = earlier.queue;
    this.decoder = earlier.decoder;
    this.received = earlier.received;
    this.played = earlier.played;
    this.playedOfFirst = earlier.playedOfFirst;
    this.send({ type: 'received', place: this.received });
    this.send({ type: 'played', place: this.played });
  }

  private play(ms: number): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    let left = Math.round(ms * SAMPLES_PER_MS) * 2;
    for (let piece = this.queue[0]; piece && left > 0; piece = this.queue[0]) {
      const part = piece.subarray(this.playedOfFirst, this.playedOfFirst + left);
      this.understand(part);
      left -= part.length;
      this.playedOfFirst += part.length;
      if (this.playedOfFirst < piece.length) return;
      this.queue.shift();
      this.playedOfFirst = 0;
      this.played += piece.length;
      this.send({ type: 'played', place: this.played });
      if (this.queue.length === 0) this.notify();
    }
  }

  private understand(audio: Buffer): void {
    const samples = Int16Array.from({ length: audio.length >> 1 }, (_, index) =>
      audio.readInt16LE(index * 2),
    );
    const words = this.decoder.push(samples);
    this.heard.push(...words.map(({ text, complete }) => ({ text, whole: complete })));
    if (words.length > 0) this.notify();
  }

  private skipTo(place: number): void {
    const cut = this.decoder.end();
    if (cut) this.heard.push({ text: cut.text, whole: false });
    this.queue = [];
    this.playedOfFirst = 0;
    this.played = this.received = place;
  }
}
