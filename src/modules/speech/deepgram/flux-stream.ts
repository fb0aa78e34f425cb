import { SpeechError } from '../speech-error.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM } from './deepgram-messages.js';
import { type DeepgramAddress, DeepgramSocket } from './deepgram-socket.js';
import { FORCE_END_TURN, parseFlux } from './flux-messages.js';
import { FluxTurns } from './flux-turns.js';

/** A voice of which Flux has found no turn by then had no words. */
const SOUND_MS = 1_000;
/** Of errors, what the next stream may not meet. */
const PASSING = /INTERNAL|TIMEOUT|UNAVAILABLE|RATE|CAPACITY/i;

/** The transcription of one call over one socket of Flux. */
export class FluxStream implements TranscriptionStream {
  private readonly socket: DeepgramSocket;
  private readonly turns: FluxTurns;
  /** Since the customer began to speak. */
  private hasFinal = false;
  /** The voice detection found the end, and no turn was found yet. */
  private sound: NodeJS.Timeout | undefined;

  constructor(
    address: DeepgramAddress,
    /** Whether the model decides when a turn ends, and not the voice detection. */
    private readonly endsTurns: boolean,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.turns = new FluxTurns((event) => {
      if (event.kind === 'final') this.told();
      onEvent(event);
    });
    this.socket = new DeepgramSocket(address, {
      message: (message) => this.receive(message),
      failed: (error) => {
        clearTimeout(this.sound);
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
    clearTimeout(this.sound);
    this.sound = undefined;
  }

  speechEnded(): void {
    if (this.turns.inTurn) return this.forceEnd();
    if (this.hasFinal) return;
    this.sound = setTimeout(() => this.wordless(), SOUND_MS);
  }

  close(): void {
    clearTimeout(this.sound);
    this.socket.close(CLOSE_STREAM);
  }

  private receive(text: string): void {
    const message = parseFlux(text);
    if (!message) return;
    if (message.kind === 'error') {
      const { code } = message;
      return this.socket.fail(new SpeechError(`The transcription failed: ${code}`, PASSING.test(code)));
    }
    const isLate = this.sound !== undefined && !this.turns.inTurn;
    this.turns.take(message.event, message.transcript);
    // The end of this voice was heard before its beginning was transcribed.
    if (isLate && this.turns.inTurn) this.forceEnd();
  }

  private forceEnd(): void {
    if (!this.endsTurns) this.socket.send(FORCE_END_TURN);
  }

  private told(): void {
    this.hasFinal = true;
    clearTimeout(this.sound);
    this.sound = undefined;
  }

  private wordless(): void {
    this.sound = undefined;
    if (!this.turns.inTurn) this.onEvent({ kind: 'final', text: '' });
  }
}
