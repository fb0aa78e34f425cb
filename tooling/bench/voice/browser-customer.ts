import { once, setMaxListeners } from 'node:events';
import { WebSocket } from 'ws';
import type { Talk } from '../../sandbox/callees/line.js';
import { type LineVoices, VoiceLog } from '../../sandbox/carrier/line-voices.js';
import { SimulatedCallee, type SpeechLog, type Voice } from '../../sandbox/carrier/simulated-callee.js';
import { StreamHearing } from '../../sandbox/carrier/stream-hearing.js';
import { StreamPlayback } from '../../sandbox/carrier/stream-playback.js';
import { ClockSpeed } from '../../sandbox/clock-speed.js';
import { encodeMulaw } from '../../sandbox/speech/mulaw.js';
import { toneSpeech } from '../../sandbox/speech/tones.js';
import type { LineTraits } from '../../sandbox/traits/line-traits.js';
import { ReturnedMarks } from '../../sandbox/traits/returned-marks.js';
import { Uplink } from '../../sandbox/traits/uplink.js';

const RATE = 24_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (RATE * FRAME_MS) / 1000;
/** Samples of the line for each of a telephone's, in whose rate the customer hears. */
const RATIO = RATE / 8_000;
const SAMPLE_BYTES = 2;
const SILENT_FRAME = new Int16Array(FRAME_SAMPLES);
/** A cough: loud, without words. */
const NOISE_FRAMES = 15;
const NOISE = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) => (at % 2 ? 5_000 : -5_000));

export interface BrowserCall {
  speech: Parameters<SpeechLog>[0][];
  voices: LineVoices;
  /** Audio was played and sent later than in real time by at most this. */
  lateMs: number;
}

/**
 * The browser of a web call over audio, with a customer who speaks in tones. It plays in real time and reports each
 * piece when its last sample was played. Of the traits jitter, bursts,
 * clock drift and marks apply; marks are reports.
 */
export class BrowserCustomer implements Voice {
  private readonly over = new AbortController();
  private readonly speechLog: BrowserCall['speech'] = [];
  private readonly line = new SimulatedCallee(new ClockSpeed(1), this.over.signal, (speech) =>
    this.speechLog.push(speech),
  );
  private readonly playback = new StreamPlayback();
  private readonly hearing = new StreamHearing({
    assistantStarted: () => this.line.assistantStarted(),
    assistantEnded: (speech) => this.line.assistantEnded(speech),
    keyPressed: () => undefined,
  });
  private readonly voices = new VoiceLog();
  private readonly uplink: Uplink;
  private readonly reports: ReturnedMarks;
  private readonly frameMs: number;
  private readonly speech: Int16Array[] = [];
  private spokenText: string | null = null;
  private spokenFrames = 0;
  private spoken: (() => void)[] = [];
  private startedAt = 0;
  private frames = 0;
  /** Bytes that the service has sent. */
  private place = 0;
  private lateMs = 0;

  constructor(
    private readonly socket: WebSocket,
    traits: LineTraits,
  ) {
    setMaxListeners(0, this.over.signal);
    this.uplink = new Uplink(traits);
    this.reports = new ReturnedMarks(traits);
    this.frameMs = FRAME_MS / (1 + traits.clock_drift / 100);
  }

  /** Talks until the customer or the service hangs up. */
  async run(talk: Talk): Promise<BrowserCall> {
    const closed = once(this.socket, 'close').then(() => this.over.abort());
    // In the event itself: the service's first frame may be received before a promise of it is settled.
    this.socket.once('open', () => {
      this.startedAt = performance.now();
      this.socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    });
    await once(this.socket, 'open');
    const clock = setInterval(() => this.advance(), FRAME_MS);
    this.line.attach(this);
    try {
      await talk(this.line);
    } catch (error) {
      if (!this.over.signal.aborted) throw error;
    } finally {
      clearInterval(clock);
      this.hangUp();
    }
    await closed;
    return { speech: this.speechLog, voices: this.voices.end(this.frames), lateMs: this.lateMs };
  }

  beginSpeech(text: string | null): boolean {
    const sound = text === null ? Array.from({ length: NOISE_FRAMES }, () => NOISE) : framesOf(text);
    this.voices.addSpeech(text, this.frames + this.speech.length, sound.length);
    this.spokenText = text;
    this.spokenFrames = sound.length;
    this.speech.push(...sound);
    return true;
  }

  async endSpeech(): Promise<number> {
    if (this.speech.length > 0) await new Promise<void>((resolve) => this.spoken.push(resolve));
    this.spokenText = null;
    return 0;
  }

  press(digit: string): void {
    this.uplink.send(this.frames, () => this.send({ type: 'digit', digit }));
  }

  private advance(): void {
    const due = Math.floor((performance.now() - this.startedAt) / this.frameMs);
    this.lateMs = Math.max(this.lateMs, (due - this.frames - 1) * FRAME_MS);
    while (this.frames < due) this.exchangeFrame();
  }

  private exchangeFrame(): void {
    const samples = this.speech.shift() ?? SILENT_FRAME;
    this.frames += 1;
    this.uplink.advance(this.frames);
    this.uplink.sendAudio(this.frames, () => {
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytesOf(samples));
    });
    if (this.speech.length === 0) for (const resolve of this.spoken.splice(0)) resolve();
    const { frame, marks } = this.playback.next();
    if (this.hearing.hear(frame)) this.voices.addAssistantFrame(this.frames - 1);
    this.reports.add(marks, this.frames);
    for (const place of this.reports.take(this.frames))
      this.uplink.send(this.frames, () => this.send({ type: 'played', place: Number(place) }));
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.advance();
    if (isBinary) return this.play(data);
    const frame = JSON.parse(data.toString()) as { type: string; place?: number };
    if (frame.type === 'ready' || frame.type === 'clear') this.discard(frame.place ?? 0);
    if (frame.type === 'end') this.socket.close();
  }

  private play(data: Buffer): void {
    this.place += data.length;
    const samples = new Int16Array(Math.floor(data.length / (SAMPLE_BYTES * RATIO)));
    for (let at = 0; at < samples.length; at += 1) {
      let sum = 0;
      for (let part = 0; part < RATIO; part += 1) sum += data.readInt16LE((at * RATIO + part) * SAMPLE_BYTES);
      samples[at] = Math.round(sum / RATIO);
    }
    this.playback.play(encodeMulaw(samples));
    this.playback.mark(String(this.place));
  }

  /** @param place of the next byte */
  private discard(place: number): void {
    if (this.playback.speaks) this.hearing.endTurn(false);
    this.playback.clear();
    this.place = place;
  }

  private hangUp(): void {
    this.advance();
    this.uplink.flush();
    this.send({ type: 'end' });
    this.hearing.endTurn(!this.playback.speaks);
    if (this.spokenText !== null) {
      const share = 1 - this.speech.length / this.spokenFrames;
      this.line.cutShort(this.spokenText.slice(0, Math.ceil(share * this.spokenText.length)));
    }
    this.line.detach(this);
    this.socket.close();
  }

  private send(frame: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}

/** Tones in frames; silence fills the last one. */
function framesOf(text: string): Int16Array[] {
  const samples = toneSpeech(text, RATE);
  const count = Math.ceil(samples.length / FRAME_SAMPLES);
  return Array.from({ length: count }, (_, index) => {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES));
    return frame;
  });
}

const bytesOf = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
