import { audioMs, type AudioFormat } from '#src/modules/media/audio-line.js';
import { SpeechError } from '../speech-error.js';
import { AudioReplay } from './audio-replay.js';
import { DeepgramSocket, type DeepgramListener, type DeepgramSocketOptions } from './deepgram-socket.js';

/** Sockets in a row that break without a word. */
const MAX_REPLACEMENTS = 2;
/**
 * Deepgram reports on all audio, with words or without: every second, Flux every 0.25 s. A socket that has sent nothing
 * for this many milliseconds of the customer's speech has failed; at the end of an utterance for fewer, because the
 * customer waits.
 */
const SILENT_MS = 2_000;
const SILENT_AT_END_MS = 1_250;
/** The shortest silence that ends a turn: the last of its audio, which has no words. */
const END_SILENCE_SECONDS = 0.3;
/** Milliseconds for which words of audio without any result are waited for. */
const LATE_RESULT_TIMEOUT_MS = 1_600;

export interface ReplayingListener extends DeepgramListener {
  /**
   * Another socket transcribes the audio without a final transcript.
   *
   * @param from seconds of the last socket's audio at which it begins
   */
  onReplaced(from: number): void;
}

/**
 * The sockets of one transcription: one that breaks or falls silent is replaced, and what was said before is not lost.
 */
export class ReplayingSocket {
  private socket: DeepgramSocket;
  private readonly replay: AudioReplay;
  private replacements = 0;
  private isSpeech = false;
  /** Of audio since the last message of the current socket, or since the customer began to speak. */
  private unansweredMs = 0;
  /** Seconds of the current socket's audio that have a result; null: its results have no times. */
  private reportedTo: number | null = null;
  /** Its seconds when the customer's speech ended. */
  private speechEndsAt = 0;
  /** Until when results of it are waited for, in milliseconds. */
  private waitsUntil = 0;

  constructor(
    private readonly options: DeepgramSocketOptions & { format: AudioFormat },
    private readonly on: ReplayingListener,
  ) {
    this.replay = new AudioReplay(options.format);
    this.socket = this.open();
  }

  write(audio: Buffer): void {
    this.replay.add(audio);
    this.socket.send(audio);
    if (this.socket.wasOpen) this.unansweredMs += audioMs(audio.length, this.options.format);
    if (this.isSpeech && this.unansweredMs >= SILENT_MS) this.replaceSilent();
  }

  speechStarted(): void {
    this.isSpeech = true;
    this.unansweredMs = 0;
  }

  speechEnded(): void {
    this.isSpeech = false;
    this.waitForResults();
  }

  /** Whether words of the customer's speech may be without any result yet, and are waited for. */
  get awaitsResults(): boolean {
    const hasRest = this.reportedTo !== null && this.reportedTo < this.speechEndsAt - END_SILENCE_SECONDS;
    return hasRest && performance.now() < this.waitsUntil;
  }

  /** Whether nothing is known of the end of the customer's speech. */
  get isSilent(): boolean {
    return this.unansweredMs >= SILENT_AT_END_MS;
  }

  replaceSilent(): void {
    this.socket.fail(new SpeechError('The transcription is silent', true));
  }

  send(message: string): void {
    this.socket.send(message);
  }

  /** @param seconds of the current socket's audio with a result @returns whether those of speech are complete now */
  report(seconds: number): boolean {
    const didAwait = this.awaitsResults;
    this.reportedTo = seconds;
    return didAwait && !this.awaitsResults;
  }

  /** @param seconds of the current socket's audio with a final transcript */
  confirm(seconds: number): void {
    this.replay.confirm(seconds);
  }

  /** The current socket transcribes: it breaks as the first one in a row. */
  recordWords(): void {
    this.replacements = 0;
  }

  close(last: string): void {
    this.socket.close(last);
  }

  fail(...error: Parameters<DeepgramSocket['fail']>): void {
    this.replacements = MAX_REPLACEMENTS;
    this.socket.fail(...error);
  }

  private waitForResults(): void {
    this.speechEndsAt = this.replay.seconds;
    this.waitsUntil = performance.now() + LATE_RESULT_TIMEOUT_MS;
  }

  private open(): DeepgramSocket {
    const socket = new DeepgramSocket(this.options, {
      onMessage: (message) => {
        this.unansweredMs = 0;
        this.on.onMessage(message);
      },
      onFailure: (error) => {
        const isReplaced = error.retryable && socket.wasOpen && this.replacements < MAX_REPLACEMENTS;
        if (!isReplaced) return this.on.onFailure(error);
        this.replacements += 1;
        this.unansweredMs = 0;
        this.socket = this.open();
        const from = this.replay.startsAt;
        for (const audio of this.replay.restart()) this.socket.send(audio);
        this.waitForResults();
        if (this.reportedTo !== null) this.reportedTo = 0;
        this.on.onReplaced(from);
      },
    });
    return socket;
  }
}
