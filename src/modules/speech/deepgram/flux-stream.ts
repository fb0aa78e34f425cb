import type { AudioFormat } from '#src/modules/media/audio-line.js';
import { SpeechError } from '../speech-error.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM } from './deepgram-messages.js';
import type { DeepgramSocketOptions } from './deepgram-socket.js';
import { FORCE_END_TURN, parseFlux } from './flux-messages.js';
import { FluxUtterances } from './flux-utterances.js';
import { ReplayingSocket } from './replaying-socket.js';

/** A voice without a turn of Flux after this time had no words. */
const NO_TURN_TIMEOUT_MS = 1_000;
/** The known words are final when Flux does not end the turn in this time: on request … */
const FORCED_END_TIMEOUT_MS = 1_200;
/** … or by itself, after the voice has ended. Longer than `EXTRA_SILENCE_MS`. */
const END_TIMEOUT_MS = 2_500;
/** Errors after which a new stream may succeed. */
const TRANSIENT_ERRORS = /INTERNAL|TIMEOUT|UNAVAILABLE|RATE|CAPACITY/i;

/** The transcription of one call by Flux. */
export class FluxStream implements TranscriptionStream {
  private readonly socket: ReplayingSocket;
  private readonly utterances: FluxUtterances;
  /** Whether a final transcript was sent since the customer began to speak. */
  private hasFinal = false;
  /** Whether the final transcript of speech before the current one is outstanding. */
  private endsEarlier = false;
  /** Runs after the end of the voice until the final transcript. */
  private endTimer: NodeJS.Timeout | undefined;
  /** Whether the voice that ended last was noise, whose final transcript is sent only with words. */
  private isNoise = false;

  constructor(
    address: DeepgramSocketOptions & { format: AudioFormat },
    /** Whether the model decides when a turn ends, and not the voice detection. */
    private readonly detectsEndOfTurn: boolean,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.utterances = new FluxUtterances((event) => {
      if (event.kind === 'final') this.finalReported();
      onEvent(event);
    });
    this.socket = new ReplayingSocket(address, {
      onMessage: (message) => this.handleMessage(message),
      onReplaced: (from) => this.utterances.continueInNextStream(from),
      onFailure: (error) => {
        this.stopEndTimer();
        this.utterances.endWithKnownWords();
        onEvent({ kind: 'failed', error });
      },
    });
  }

  /** All audio: Flux has no message that keeps a socket without audio open. */
  write(audio: Buffer): void {
    this.socket.write(audio);
  }

  speechStarted(): void {
    this.hasFinal = false;
    this.socket.speechStarted();
    if (this.detectsEndOfTurn) this.stopEndTimer();
    else if (!this.utterances.isInTurn) this.concludeEnded();
    this.endsEarlier = this.endTimer !== undefined;
  }

  speechEnded(isNoise = false): void {
    this.concludeEnded();
    this.socket.speechEnded();
    this.isNoise = isNoise;
    if (this.utterances.isInTurn) return this.endTurn();
    if (!this.hasFinal) this.startEndTimer(NO_TURN_TIMEOUT_MS);
  }

  close(): void {
    this.stopEndTimer();
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
    const { event, transcript, endsAt } = message;
    const isLate = this.endTimer !== undefined && !this.utterances.isInTurn;
    if (transcript !== '') this.socket.recordWords();
    const hasCaughtUp = endsAt !== null && this.socket.report(endsAt);
    // Updates may be without words at the end of their audio.
    if (endsAt !== null && event === 'EndOfTurn') this.socket.confirm(endsAt);
    this.utterances.handleEvent(event, transcript, endsAt);
    // The end of this voice was detected before its beginning was transcribed.
    if (isLate && this.utterances.isInTurn) this.endTurn();
    // The requested end is next.
    else if (hasCaughtUp && this.endTimer && this.utterances.hasWords && !this.detectsEndOfTurn)
      this.startEndTimer(FORCED_END_TIMEOUT_MS);
  }

  private endTurn(): void {
    if (!this.detectsEndOfTurn) this.socket.send(FORCE_END_TURN);
    this.startEndTimer(this.detectsEndOfTurn ? END_TIMEOUT_MS : FORCED_END_TIMEOUT_MS);
  }

  private finalReported(): void {
    this.hasFinal ||= !this.endsEarlier;
    this.endsEarlier = false;
    this.stopEndTimer();
  }

  private startEndTimer(ms: number): void {
    this.stopEndTimer();
    this.endTimer = setTimeout(() => this.handleTimeout(), ms);
  }

  private handleTimeout(): void {
    if (!this.socket.awaitsResults && !this.socket.isSilent) return this.concludeEnded();
    this.startEndTimer(this.utterances.hasWords ? FORCED_END_TIMEOUT_MS : NO_TURN_TIMEOUT_MS);
    if (this.socket.isSilent) this.socket.replaceSilent();
  }

  /** Without the end of a turn. */
  private concludeEnded(): void {
    if (!this.endTimer) return;
    this.stopEndTimer();
    if (this.utterances.hasWords) this.utterances.endWithKnownWords();
    else if (!this.isNoise) this.onEvent({ kind: 'final', text: '' });
    this.endsEarlier = false;
  }

  private stopEndTimer(): void {
    clearTimeout(this.endTimer);
    this.endTimer = undefined;
  }
}
