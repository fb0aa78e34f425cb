import { SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { fromPcm } from './audio/audio-format.js';
import { Resampler } from './audio/resampler.js';
import { SpeechError } from './speech-error.js';
import type { SpeechPlayer } from './speech-player.js';
import type { ProviderAccess } from './speech-provider.js';
import type { SpokenPiece } from './spoken-piece.js';
import { SYNTHESIS_RATE, type Synthesizer } from './synthesizer.js';

/** How the assistant speaks in a call. */
export interface SpeechVoice {
  provider: ProviderAccess;
  /** The voice's name at the provider. */
  voice: string;
  /** 0.7–1.2 */
  speed: number;
}

/** Something that can be spoken: quotation marks alone cannot. */
const SPEAKABLE = /[\p{L}\p{N}]/u;

/** Has pieces of speech synthesised in their order: the next one while one is played, and none beyond. */
export class SpeechQueue {
  private readonly waiting: SpokenPiece[] = [];
  private busy = false;
  private readonly resampler: Promise<Resampler>;

  constructor(
    private readonly synthesizer: Synthesizer,
    private readonly voice: SpeechVoice,
    private readonly player: SpeechPlayer,
    format: AudioFormat,
    private readonly onFailed: (error: SpeechError) => void,
  ) {
    this.resampler = Resampler.create(SYNTHESIS_RATE, SAMPLE_RATE[format]);
    this.resampler.catch(() => undefined);
  }

  add(piece: SpokenPiece): void {
    this.player.add(piece);
    this.waiting.push(piece);
    this.prepare();
  }

  /** Begins the next piece when all pieces before it have begun to play. */
  prepare(): void {
    if (this.busy) return;
    while (this.waiting[0]?.complete) this.waiting.shift();
    const [next] = this.waiting;
    if (!next || this.player.pieces.some(isPrepared)) return;
    this.waiting.shift();
    this.busy = true;
    void this.synthesise(next);
  }

  close(): void {
    this.waiting.length = 0;
    void this.resampler.then((resampler) => resampler.close()).catch(() => undefined);
  }

  private async synthesise(piece: SpokenPiece): Promise<void> {
    try {
      if (SPEAKABLE.test(piece.text)) await this.receive(piece, true);
    } catch (error) {
      if (!piece.abort.signal.aborted)
        this.onFailed(
          error instanceof SpeechError
            ? error
            : new SpeechError('Speech failed', false, null, { cause: error }),
        );
    }
    piece.finish();
    this.player.send();
    this.busy = false;
    this.prepare();
  }

  /** What has begun to be heard is not said again. */
  private async receive(piece: SpokenPiece, mayRetry: boolean): Promise<void> {
    const resampler = await this.resampler;
    const { signal } = piece.abort;
    const request = { ...this.voice, text: piece.text.trim() };
    let half = Buffer.alloc(0);
    let hasAudio = false;
    try {
      for await (const audio of this.synthesizer.speak(request, signal)) {
        if (signal.aborted) return;
        const whole = Buffer.concat([half, audio]);
        half = whole.subarray(whole.length & ~1);
        hasAudio = true;
        piece.append(resampler.push(fromPcm(whole)));
        this.player.send();
      }
      if (!hasAudio && !signal.aborted) throw new SpeechError('Speech came without audio', true);
    } catch (error) {
      if (!mayRetry || hasAudio || !(error instanceof SpeechError && error.retryable)) throw error;
      await this.receive(piece, false);
    }
  }
}

/** It is there to be played, and its turn has not come. */
const isPrepared = (piece: SpokenPiece): boolean => piece.complete && !piece.sentWhole && piece.sentMs === 0;
