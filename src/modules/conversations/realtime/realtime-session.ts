import { Logger } from '@nestjs/common';
import {
  type AnsweringModel,
  LanguageModelError,
  type ModelDelta,
  type StreamRequest,
} from '../../llm/language-model.js';
import type { RealtimeEvent, RealtimeModel, RealtimeSettings } from '../../speech/realtime-model.js';
import type { RealtimeConnection } from '../../speech/realtime-model.js';
import { wordsIn } from '../../speech/silence-marks.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import type { CallSession, CallSessionEvent, SpeechOptions } from '../../telephony/call-session.js';
import type { Clock } from '../engine/clock.js';
import { AudioPlayback } from './audio-playback.js';
import { InterruptionGate, type InterruptionRules } from './interruption-gate.js';
import { UNOBSERVED, type RealtimeObserver } from './realtime-metrics.js';
import { RealtimeResponses } from './realtime-responses.js';
import type { SpokenAudio } from './spoken-audio.js';

/** The words of an utterance come within this time after its end; else it counts as not understood. */
const WORDS_LIMIT_MS = 5_000;
/** Some minutes of speech. */
const MAX_UTTERANCE_CHARACTERS = 10_000;
/** In the record of the call, for what the model heard and nobody wrote down. */
const NOT_TRANSCRIBED = '[not transcribed]';

/**
 * A call over an audio line whose other end is a realtime model: for the engine it is both the call session and the
 * language model. What the engine gets from `stream` is spoken with the model's own audio from the moment on at which
 * the engine says it; every other sentence is spoken by a response of its own, outside of the model's conversation.
 */
export class RealtimeSession implements CallSession, AnsweringModel {
  readonly playsAudio = true;
  readonly openedAt: number;
  private readonly logger = new Logger(RealtimeSession.name);
  private readonly playback: AudioPlayback;
  private readonly gate: InterruptionGate;
  private readonly untranscribed = new Map<string, () => void>();
  private readonly early: CallSessionEvent[] = [];
  private listener: ((event: CallSessionEvent) => void) | null = null;
  private connection: RealtimeConnection | null = null;
  private responses: RealtimeResponses | null = null;
  /** Speech that a sound stopped: it may go on. */
  private held: SpokenAudio[] = [];
  private language: string;
  private endReason = 'line_lost';
  private closed = false;
  private hasFailed = false;

  constructor(
    private readonly line: AudioLine,
    private readonly clock: Clock,
    private readonly settings: RealtimeSettings,
    rules: InterruptionRules,
    private readonly observer: RealtimeObserver = UNOBSERVED,
  ) {
    this.openedAt = line.openedAt;
    this.language = settings.language;
    this.playback = new AudioPlayback(line, clock, (text) => this.heardByCustomer(text), settings.speed);
    this.gate = new InterruptionGate(clock, rules, () => this.interrupt());
  }

  /** Whether the model failed: the line is still open, and the call has to go on without the model. */
  get failed(): boolean {
    return this.hasFailed;
  }

  /** Connects the line with the model. With a model that cannot be reached the session is `failed`. */
  async open(model: RealtimeModel): Promise<void> {
    const { clock, playback, observer } = this;
    try {
      const connection = await model.connect(this.settings, (event) => this.onModel(event));
      const onFailure = (why: string): void => this.fail(why);
      this.connection = connection;
      this.responses = new RealtimeResponses({ clock, connection, playback, observer, onFailure });
      this.line.onEvent((event) => this.onLine(event));
    } catch (error) {
      this.fail(error instanceof Error ? error.message : 'The realtime model failed');
    }
  }

  say(token: string, last: boolean, options: SpeechOptions): void {
    if (this.closed || token === '') return;
    const mayBeStopped = options.interruptible || options.preemptible;
    if (last && token.trim() === '') this.giveWay();
    else if (last) this.responses?.speak(token, mayBeStopped);
    else if (this.held.length > 0) this.goOn(token, mayBeStopped);
    else this.responses?.begin();
  }

  sendDigits(digits: string): void {
    if (!this.closed) this.line.sendDigits(digits);
  }

  switchLanguage(language: string): void {
    this.language = language;
    this.connection?.listenIn(language);
  }

  /** The line is ended by `hangUp`: a carrier asks at once how the call goes on, and finds what is stored. */
  end(reason: string): void {
    this.endReason = reason;
    this.close();
  }

  /** Ends the line; a call that has not ended goes on as the carrier is told then. */
  hangUp(): void {
    this.close();
    this.line.end(this.endReason);
  }

  /** The call goes on over another line in place of this one. */
  release(): void {
    this.line.release?.();
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    for (const event of this.early.splice(0)) listener(event);
  }

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (!this.responses || this.closed) throw new LanguageModelError('The realtime session is closed', false);
    this.drop();
    yield* this.responses.stream(request, signal);
  }

  /** What a sound stopped goes on with its own audio. */
  private goOn(text: string, mayBeStopped: boolean): void {
    const said = text.trim();
    const again = this.held.filter(
      ({ rest }) => rest !== '' && (said.includes(rest.trim()) || rest.includes(said)),
    );
    this.held = [];
    if (again.length === 0) this.responses?.speak(text, mayBeStopped);
    for (const speech of again) {
      this.responses?.resumed(speech);
      this.playback.resume(speech);
    }
  }

  /** What a sound stopped does not go on. */
  private drop(): void {
    for (const speech of this.held) speech.release();
    this.held = [];
  }

  /** Newer speech comes: what is playing stops. */
  private giveWay(): void {
    for (const speech of this.stop()) speech.release();
    this.emit({ kind: 'speaking', who: 'assistant', on: false });
  }

  private interrupt(): void {
    const { current } = this.playback;
    if (this.closed || !current?.mayBeStopped) return;
    this.held = this.stop();
    this.emit({ kind: 'interrupted', heard: current.text.slice(0, current.told).trim() });
  }

  private stop(): SpokenAudio[] {
    const stopped = this.playback.stop();
    this.responses?.stopped(stopped);
    return stopped;
  }

  private onLine(event: AudioLineEvent): void {
    if (this.closed) return;
    switch (event.kind) {
      case 'audio':
        return this.connection?.append(event.audio);
      case 'mark':
        return this.playback.marked(event.name);
      case 'digit':
        this.gate.keyPressed();
        return this.emit(event);
      case 'interrupted':
        return this.gate.keyPressed();
      case 'text':
        this.gate.keyPressed();
        return this.emit({ kind: 'utterance', text: event.text, final: true });
      case 'closed':
        this.playback.settle();
        this.close();
        return this.emit(event);
    }
  }

  private onModel(event: RealtimeEvent): void {
    if (this.closed) return;
    switch (event.kind) {
      case 'speech':
        return this.customerSpeaks(event.itemId, event.on);
      case 'words':
        this.line.caption?.('customer', event.text, false);
        return this.gate.heardWords(event.text, this.language);
      case 'heard':
        return this.heard(event.itemId, event.text === null ? NOT_TRANSCRIBED : wordsIn(event.text));
      case 'closed':
        return this.fail('The realtime model closed the session');
      default:
        return this.responses?.onEvent(event);
    }
  }

  private customerSpeaks(itemId: string, on: boolean): void {
    if (on) this.gate.speechStarted();
    else {
      this.gate.speechStopped();
      const cancel = this.clock.setTimeout(() => this.heard(itemId, NOT_TRANSCRIBED), WORDS_LIMIT_MS);
      this.untranscribed.set(itemId, cancel);
    }
    this.emit({ kind: 'speaking', who: 'customer', on });
  }

  private heard(itemId: string, words: string): void {
    const cancel = this.untranscribed.get(itemId);
    this.untranscribed.delete(itemId);
    cancel?.();
    // Without the first: words that come after the time in which they were awaited.
    if (!cancel || this.closed || words.trim() === '') return;
    const text = words.slice(0, MAX_UTTERANCE_CHARACTERS);
    this.gate.heardAll(text, this.language);
    this.responses?.history.heard(itemId, text);
    if (text !== NOT_TRANSCRIBED) this.line.caption?.('customer', text, true);
    this.emit({ kind: 'utterance', text, final: true });
  }

  private heardByCustomer(text: string): void {
    this.line.caption?.('assistant', text, false);
    this.emit({ kind: 'played', text });
  }

  private fail(why: string): void {
    if (this.closed) return;
    this.logger.warn(why);
    this.hasFailed = true;
    this.playback.settle();
    this.close();
    this.responses?.fail(why);
    this.line.clear();
    this.emit({ kind: 'closed' });
  }

  private close(): void {
    this.closed = true;
    this.gate.speechStopped();
    for (const cancel of this.untranscribed.values()) cancel();
    this.connection?.close();
  }

  private emit(event: CallSessionEvent): void {
    if (this.listener) this.listener(event);
    else this.early.push(event);
  }
}
