import { SpeechError } from '../speech-error.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM } from './deepgram-messages.js';
import { type DeepgramSocketOptions, DeepgramSocket } from './deepgram-socket.js';
import { FORCE_END_TURN, parseFlux } from './flux-messages.js';
import { FluxUtterances } from './flux-utterances.js';

/** A voice without a turn of Flux after this time had no words. */
const NO_TURN_TIMEOUT_MS = 1_000;
/** Errors after which a new stream may succeed. */
const TRANSIENT_ERRORS = /INTERNAL|TIMEOUT|UNAVAILABLE|RATE|CAPACITY/i;

/** The transcription of one call over one socket of Flux. */
export class FluxStream implements TranscriptionStream {
  private readonly socket: DeepgramSocket;
  private readonly utterances: FluxUtterances;
  /** Whether a final transcript was sent since the customer began to speak. */
  private hasFinal = false;
  /** Runs after the end of the voice until Flux finds a turn. */
  private noTurnTimer: NodeJS.Timeout | undefined;

  constructor(
    address: DeepgramSocketOptions,
    /** Whether the model decides when a turn ends, and not the voice detection. */
    private readonly detectsEndOfTurn: boolean,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.utterances = new FluxUtterances((event) => {
      if (event.kind === 'final') this.finalReported();
      onEvent(event);
    });
    this.socket = new DeepgramSocket(address, {
      onMessage: (message) => this.handleMessage(message),
      onFailure: (error) => {
        clearTimeout(this.noTurnTimer);
        onEvent({ kind: 'failed', error });
      },
    });
  }

  /** All audio: Flux has no message that keeps a socket without audio open. */
  write(audio: Buffer): void {
    this.socket.send(audio);
  }

  speechStarted(): void {
    this.hasFinal = false;
    clearTimeout(this.noTurnTimer);
    this.noTurnTimer = undefined;
  }

  speechEnded(): void {
    if (this.utterances.inTurn) return this.forceEndOfTurn();
    if (this.hasFinal) return;
    this.noTurnTimer = setTimeout(() => this.reportNoWords(), NO_TURN_TIMEOUT_MS);
  }

  close(): void {
    clearTimeout(this.noTurnTimer);
    this.socket.close(CLOSE_STREAM);
  }

  private handleMessage(text: string): void {
    const message = parseFlux(text);
    if (!message) return;
    if (message.kind === 'error') {
      const { code } = message;
      return this.socket.fail(
        new SpeechError(`The transcription failed: ${code}`, TRANSIENT_ERRORS.test(code)),
      );
    }
    const isLate = this.noTurnTimer !== undefined && !this.utterances.inTurn;
    this.utterances.handleEvent(message.event, message.transcript);
    // The end of this voice was detected before its beginning was transcribed.
    if (isLate && this.utterances.inTurn) this.forceEndOfTurn();
  }

  private forceEndOfTurn(): void {
    if (!this.detectsEndOfTurn) this.socket.send(FORCE_END_TURN);
  }

  private finalReported(): void {
    this.hasFinal = true;
    clearTimeout(this.noTurnTimer);
    this.noTurnTimer = undefined;
  }

  private reportNoWords(): void {
    this.noTurnTimer = undefined;
    if (!this.utterances.inTurn) this.onEvent({ kind: 'final', text: '' });
  }
}
