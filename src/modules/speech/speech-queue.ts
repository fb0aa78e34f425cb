import { SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { fromPcm } from './audio/audio-format.js';
import { Resampler } from './audio/resampler.js';
import { isClause } from './sentence-splitter.js';
import { SilenceLimit } from './silence-limit.js';
import { SpeechError } from './speech-error.js';
import { msPerCharacter } from './speech-length.js';
import type { SpeechPlayer } from './speech-player.js';
import type { SpokenPiece } from './spoken-piece.js';
import { SYNTHESIS_RATE, type SynthesisRequest, type Synthesizer } from './synthesizer.js';

/** How the assistant speaks in a call. */
export interface SpeechVoice extends Omit<SynthesisRequest, 'text' | 'language'> {
  /** Of its provider. */
  name: string;
  synthesizer: Synthesizer;
}

/** The voice of the assistant, and those that replace it one after the other. */
export type SpeechVoices = readonly [SpeechVoice, ...SpeechVoice[]];

export interface SpeechQueueListener {
  /** BCP 47, of the current speech. */
  language(): string;
  /** The voice is no longer used; the next one, if there is one, speaks the rest. */
  voiceFailed(voice: SpeechVoice, error: SpeechError): void;
  /** No voice is left. */
  failed(error: SpeechError): void;
}

/** Something that can be spoken: quotation marks alone cannot. */
const SPEAKABLE = /[\p{L}\p{N}]/u;
/** Of a voice of unknown speed to the usual one: a repeated word is better than a missing one. */
const SLOW_RATIO = 1.5;
/** Shorter texts are not a reliable measure of a voice's speed. */
const TELLING_CHARACTERS = 12;

/** Has pieces of speech synthesised in their order: the next one while one is played, and none beyond. */
export class SpeechQueue {
  private readonly waiting: SpokenPiece[] = [];
  private busy = false;
  private newest: SpokenPiece | null = null;
  private readonly resampler: Promise<Resampler>;
  private used = 0;
  /** Of the voice in use, as its last piece was spoken; null: unknown. */
  private msPerCharacter: number | null = null;
  /** Of sentences that another voice ends, from their beginning. */
  private readonly limits = new WeakMap<SpokenPiece, SilenceLimit>();
  /** Rests of sentences whose voice broke off and was asked again. */
  private readonly askedAgain = new WeakSet<SpokenPiece>();

  constructor(
    private readonly voices: SpeechVoices,
    private readonly player: SpeechPlayer,
    format: AudioFormat,
    private readonly on: SpeechQueueListener,
  ) {
    this.resampler = Resampler.create(SYNTHESIS_RATE, SAMPLE_RATE[format]);
    this.resampler.catch(() => undefined);
  }

  /** The rest of a sentence whose first clause is being spoken goes to the same request, where the voice takes it. */
  add(piece: SpokenPiece): void {
    if (this.newest?.continueWith(piece)) return;
    this.newest = piece;
    if (this.voice.synthesizer.takesRest && isClause(piece.text)) piece.awaitRest();
    this.player.add(piece);
    this.waiting.push(piece);
    this.prepare();
  }

  /** Begins the next piece when all pieces before it have begun to play. */
  prepare(): void {
    if (this.busy) return;
    while (this.waiting[0]?.complete) this.waiting.shift();
    const [next] = this.waiting;
    if (!next || this.player.unplayedPieces.some(isPrepared)) return;
    this.waiting.shift();
    this.busy = true;
    void this.synthesise(next);
  }

  close(): void {
    this.waiting.length = 0;
    void this.resampler.then((resampler) => resampler.close()).catch(() => undefined);
  }

  private get voice(): SpeechVoice {
    return this.voices[this.used] ?? this.voices[0];
  }

  private get hasNext(): boolean {
    return this.used + 1 < this.voices.length;
  }

  private async synthesise(piece: SpokenPiece): Promise<void> {
    try {
      if (SPEAKABLE.test(piece.text)) await this.speak(piece);
    } catch (error) {
      if (!piece.abort.signal.aborted) this.on.failed(asSpeechError(error));
    }
    piece.finish();
    this.player.send();
    this.busy = false;
    this.prepare();
  }

  /**
   * In the first usable voice. One that breaks off or stalls in a sentence is asked for the rest, once; then the next
   * voice completes what it has begun.
   */
  private async speak(piece: SpokenPiece): Promise<void> {
    const limit = this.limits.get(piece) ?? new SilenceLimit(Date.now, this.player.unplayedMs);
    for (;;) {
      const { voice, hasNext } = this;
      try {
        await this.receive(piece, limit, true);
        if (piece.text.length >= TELLING_CHARACTERS) this.msPerCharacter = piece.msPerCharacter;
        return;
      } catch (error) {
        if (piece.abort.signal.aborted) return;
        const failure = asSpeechError(error);
        const hasBegun = piece.unplayedMs + piece.playedMs > 0;
        if (hasBegun && failure.retryable && !this.askedAgain.has(piece)) {
          limit.recordRetry();
          return this.continueLater(piece, limit);
        }
        this.on.voiceFailed(voice, failure);
        if (!hasNext) throw failure;
        this.used += 1;
        limit.recordVoiceRequest();
        if (hasBegun) this.continueLater(piece, limit);
        this.msPerCharacter = null;
        if (hasBegun) return;
      }
    }
  }

  private continueLater(piece: SpokenPiece, limit: SilenceLimit): void {
    const rest = piece.split(this.msPerCharacter ?? msPerCharacter(piece.text) * SLOW_RATIO);
    if (!rest) return;
    this.limits.set(rest, limit);
    this.askedAgain.add(rest);
    this.player.insertAfter(piece, rest);
    this.waiting.unshift(rest);
  }

  /** Partly played text is not repeated. */
  private async receive(piece: SpokenPiece, limit: SilenceLimit, mayRetry: boolean): Promise<void> {
    const resampler = await this.resampler;
    const { signal } = piece.abort;
    const stall = new Stall(signal);
    const watch = (): void => stall.within(this.hasNext ? limit.remainingMs : limit.lastVoiceMs);
    let half = Buffer.alloc(0);
    let hasAudio = false;
    let isTooShort = false;
    try {
      watch();
      for await (const audio of this.audioOf(piece, stall.signal)) {
        if (signal.aborted) return;
        const whole = Buffer.concat([half, audio]);
        half = whole.subarray(whole.length & ~1);
        hasAudio = true;
        piece.append(resampler.push(fromPcm(whole)));
        this.player.send();
        limit.recordSound(this.player.unplayedMs);
        watch();
      }
      if (stall.isOver) throw new SpeechError('Speech came too late', hasAudio);
      if (!hasAudio && !signal.aborted) throw new SpeechError('Speech came without audio', true);
      isTooShort = !signal.aborted && !piece.isPlausible;
      if (isTooShort) throw new SpeechError('Speech came that is too short for its text', mayRetry);
    } catch (error) {
      if (!mayRetry || (hasAudio && !isTooShort) || !(error instanceof SpeechError && error.retryable))
        throw error;
      await this.receive(piece, limit, false);
    } finally {
      stall.end();
    }
  }

  private audioOf(piece: SpokenPiece, signal: AbortSignal): AsyncIterable<Buffer> {
    const { name: _, synthesizer, ...voice } = this.voice;
    if (!synthesizer.takesRest) piece.endText();
    const { rest } = piece;
    const request = {
      ...voice,
      text: piece.text.trim(),
      language: this.on.language(),
      ...(rest && { rest }),
    };
    return synthesizer.speak(request, signal);
  }
}

/** Aborts a voice that sends nothing. */
class Stall {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private last: NodeJS.Immediate | undefined;
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.controller.signal]);
  }

  get isOver(): boolean {
    return this.controller.signal.aborted;
  }

  within(ms: number): void {
    this.end();
    // In a busy process received audio may not have been read by then: it is read first.
    const over = (): void => void (this.last = setImmediate(() => this.controller.abort()));
    this.timer = setTimeout(over, ms);
  }

  end(): void {
    clearTimeout(this.timer);
    clearImmediate(this.last);
  }
}

const asSpeechError = (error: unknown): SpeechError =>
  error instanceof SpeechError ? error : new SpeechError('Speech failed', false, null, { cause: error });

/** It is complete, and its playback has not begun. */
const isPrepared = (piece: SpokenPiece): boolean =>
  piece.complete && !piece.isCompletelySent && piece.sentMs === 0;
