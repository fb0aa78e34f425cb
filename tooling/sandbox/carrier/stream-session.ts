import type { LineFaults } from '../callees/callee.js';
import type { ClockSpeed } from '../clock-speed.js';
import { encodeSpeech, FRAME_BYTES, MS_PER_CHARACTER, SILENCE } from '../speech/speech-code.js';
import { type LineVoices, VoiceLog } from './line-voices.js';
import { ServiceSocket } from './service-socket.js';
import type { SimulatedCallee, Voice } from './simulated-callee.js';
import { parseStreamFrame } from './stream-frames.js';
import { StreamHearing } from './stream-hearing.js';
import { StreamPlayback } from './stream-playback.js';
import { LineBackground } from '../traits/background.js';
import type { LineTraits } from '../traits/line-traits.js';
import { ReturnedMarks } from '../traits/returned-marks.js';
import { Uplink } from '../traits/uplink.js';

const FRAME_MS = 20;
/** Milliseconds of simulated time: duration of a noise, and position in the first speech at which a socket breaks. */
const NOISE_MS = 300;
const BREAKS_AFTER_MS = 1_500;
/** Loud audio without speech. */
const NOISE = Buffer.alloc(FRAME_BYTES, Buffer.of(0x22, 0xa2));
const SILENT_FRAME = Buffer.alloc(FRAME_BYTES, SILENCE);
const BROKEN = 1006;
/** Tolerance of a timer. */
const LATE_MS = 200;

export interface StreamRequest {
  url: string;
  signature: string;
  accountSid: string;
  callSid: string;
  streamSid: string;
  customParameters: Record<string, string>;
  faults: LineFaults;
  traits: LineTraits;
  /** A frame that the carrier refused. */
  refused(why: string): void;
  /** The WebSocket broke. */
  lost(): void;
  /** Audio was played and sent later than in real time. */
  late(ms: number): void;
  /** The stream is over. */
  heard(voices: LineVoices): void;
}

/** `closed`: by the service. */
export type StreamOutcome = 'never-opened' | 'broken' | 'closed';

/**
 * The carrier's side of one bidirectional media stream: 50 frames a second in real time by the telephone's clock,
 * independent of the sandbox's speed; faster callees speak more characters in each. Timestamps are the carrier's.
 */
export class StreamSession implements Voice {
  private readonly playback = new StreamPlayback();
  private readonly hearing: StreamHearing;
  private readonly socket: ServiceSocket;
  private readonly speech: Buffer[] = [];
  /** The speech that the callee has not ended; null: none, or a noise. */
  private spokenText: string | null = null;
  private spokenFrames = 0;
  private readonly voices = new VoiceLog();
  private readonly waiting: (() => void)[] = [];
  private readonly background: LineBackground;
  private readonly uplink: Uplink;
  private readonly marks: ReturnedMarks;
  /** Duration of a frame by the carrier's clock. */
  private readonly frameMs: number;
  private clock: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private frames = 0;
  private sequence = 0;
  private latestMs = 0;
  /** Of the frames of the callee's current speech. */
  private speechLateMs = 0;
  private breaksSoon: boolean;
  /** Number of frames after which the socket breaks; null: it does not. */
  private breaksAt: number | null = null;
  private isBroken = false;

  constructor(
    private readonly request: StreamRequest,
    private readonly line: SimulatedCallee,
    private readonly clockSpeed: ClockSpeed,
  ) {
    const { url, signature, faults, traits } = request;
    this.background = new LineBackground(traits);
    this.uplink = new Uplink(traits);
    this.marks = new ReturnedMarks(traits);
    this.frameMs = FRAME_MS / (1 + traits.clock_drift / 100);
    this.breaksSoon = faults.firstSocket === 'breaks';
    this.hearing = new StreamHearing({
      assistantStarted: () => this.assistantStarted(),
      assistantEnded: (speech) => line.assistantEnded(speech),
      keyPressed: (key) => line.keyPressed(key),
    });
    this.socket = new ServiceSocket(
      { url, signature, reconnects: false, fault: faults.firstSocket },
      {
        opened: () => this.open(),
        received: (data, isBinary) => this.receive(data, isBinary),
        lost: (closeCode) => {
          if (closeCode === BROKEN) request.lost();
        },
      },
    );
  }

  /** Holds the stream; rejects when the signal aborts. The socket is closed in every case. */
  async run(signal: AbortSignal): Promise<StreamOutcome> {
    try {
      const { wasOpen, closeCode } = await this.socket.run(signal);
      if (!wasOpen) return 'never-opened';
      return closeCode === BROKEN ? 'broken' : 'closed';
    } finally {
      this.stop();
    }
  }

  beginSpeech(text: string | null): boolean {
    const msPerCharacter = this.clockSpeed.real(MS_PER_CHARACTER);
    const noiseFrames = Math.max(1, Math.round(this.clockSpeed.real(NOISE_MS) / FRAME_MS));
    const sound =
      text === null ? Array.from({ length: noiseFrames }, () => NOISE) : encodeSpeech(text, msPerCharacter);
    this.voices.addSpeech(text, this.frames + this.speech.length, sound.length);
    this.spokenText = text;
    this.spokenFrames = sound.length;
    this.speech.push(...sound);
    return true;
  }

  async endSpeech(): Promise<number> {
    if (this.speech.length > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    const lateMs = this.speechLateMs;
    this.speechLateMs = 0;
    this.spokenText = null;
    return lateMs;
  }

  press(digit: string): void {
    this.uplink.send(this.frames, () => this.send('dtmf', { dtmf: { track: 'inbound_track', digit } }));
  }

  private open(): void {
    const { accountSid, callSid, streamSid, customParameters } = this.request;
    this.socket.send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    this.send('start', {
      start: { accountSid, streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters },
    });
    this.startedAt = performance.now();
    this.clock = setInterval(() => this.advance(), FRAME_MS);
    this.line.attach(this);
  }

  /** Sends the frames that are due: a timer may be late. @returns milliseconds that were due and not played */
  private advance(): number {
    const due = Math.floor((performance.now() - this.startedAt) / this.frameMs);
    const lateMs = (due - this.frames) * FRAME_MS;
    if (lateMs >= LATE_MS && lateMs > this.latestMs) this.request.late((this.latestMs = lateMs));
    if (this.speech.length > 0 && lateMs >= LATE_MS) this.speechLateMs = Math.max(this.speechLateMs, lateMs);
    while (this.frames < due && !this.isBroken) this.exchangeFrame();
    return lateMs;
  }

  private exchangeFrame(): void {
    const audio = this.background.under(this.speech.shift() ?? SILENT_FRAME, this.frames);
    const payload = audio.toString('base64');
    const timestamp = String(Math.round(this.frames * this.frameMs));
    this.frames += 1;
    const media = { track: 'inbound', chunk: String(this.frames), timestamp, payload };
    this.uplink.advance(this.frames);
    this.uplink.sendAudio(this.frames, () => this.send('media', { media }));
    if (this.speech.length === 0) this.spoken();
    const { frame, marks } = this.playback.next();
    if (this.hearing.hear(frame)) this.voices.addAssistantFrame(this.frames - 1);
    this.returnMarks(marks);
    if (this.frames === this.breaksAt) this.break();
  }

  private receive(data: string, isBinary: boolean): void {
    // A busy process may have due frames here: later frames of the service cannot change the audio before.
    const lateMs = this.advance();
    const frame = parseStreamFrame(data, isBinary, this.request.streamSid);
    if (frame.kind === 'refused') return this.request.refused(`${frame.code}: ${frame.why}`);
    if (frame.kind === 'mark') this.playback.mark(frame.name);
    else if (frame.kind === 'clear') this.clear(lateMs);
    else if (!this.playback.play(frame.audio)) this.request.refused('The buffer of audio is full.');
  }

  private clear(lateMs: number): void {
    if (this.playback.speaks) this.hearing.endTurn(false, lateMs);
    this.returnMarks(this.playback.clear());
  }

  private returnMarks(names: readonly string[]): void {
    this.marks.add(names, this.frames);
    for (const name of this.marks.take(this.frames))
      this.uplink.send(this.frames, () => this.send('mark', { mark: { name } }));
  }

  private assistantStarted(): void {
    this.line.assistantStarted();
    if (!this.breaksSoon) return;
    this.breaksSoon = false;
    // Counted in frames: a timer of a busy process fires after the whole playback.
    this.breaksAt = this.frames + Math.max(1, Math.round(this.clockSpeed.real(BREAKS_AFTER_MS) / FRAME_MS));
  }

  private break(): void {
    this.isBroken = true;
    this.socket.break();
  }

  private send(event: string, fields: Record<string, unknown>): void {
    this.sequence += 1;
    const { streamSid } = this.request;
    this.socket.send({ event, sequenceNumber: String(this.sequence), ...fields, streamSid });
  }

  private stop(): void {
    const lateMs = this.clock ? this.advance() : 0;
    clearInterval(this.clock);
    const { accountSid, callSid } = this.request;
    this.uplink.flush();
    this.send('stop', { stop: { accountSid, callSid } });
    this.socket.close();
    this.hearing.endTurn(!this.playback.speaks, lateMs);
    if (this.spokenText !== null) {
      const share = 1 - this.speech.length / this.spokenFrames;
      this.line.cutShort(this.spokenText.slice(0, Math.ceil(share * this.spokenText.length)));
    }
    this.line.detach(this);
    this.request.heard(this.voices.end(this.frames));
    this.speech.length = 0;
    this.spoken();
  }

  private spoken(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
