import { Logger } from '@nestjs/common';
import {
  type StreamingModel,
  LanguageModelError,
  type ModelDelta,
  type StreamRequest,
} from '../../llm/language-model.js';
import type {
  RealtimeConnection,
  RealtimeEvent,
  RealtimeModel,
  RealtimeSettings,
} from '../../speech/realtime-model.js';
import type { EndOfTurnModel } from '../../speech/end-of-turn/end-of-turn-model.js';
import type { VoiceActivityDetector } from '../../speech/voice-activity.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import type { CallSession, CallSessionEvent, SpeechOptions } from '../../telephony/call-session.js';
import { SessionEvents } from '../../telephony/session-events.js';
import type { Clock } from '../engine/clock.js';
import { NOT_TRANSCRIBED } from '../engine/committed-turns.js';
import { AudioPlayback } from './audio-playback.js';
import type { InterruptionRules } from './barge-in-detector.js';
import { CustomerAudio } from './customer-audio.js';
import { type CustomerTurn, isOfCustomer, TRANSCRIPT_TIMEOUT_MS } from './customer-turns.js';
import { NO_OBSERVER, type RealtimeObserver } from './realtime-metrics.js';
import { RealtimeResponses } from './realtime-responses.js';
import { HeldAudio } from './held-audio.js';
import type { SpokenAudio } from './spoken-audio.js';

/**
 * A call over an audio line with a realtime model: for the engine it is both the call session and the language model.
 * Text from `stream` is spoken with the model's own audio when the engine says it; every other sentence is spoken by a
 * response of its own, outside of the model's conversation.
 */
export class RealtimeSession implements CallSession, StreamingModel {
  readonly playsAudio = true;
  readonly maxTranscriptDelayMs = TRANSCRIPT_TIMEOUT_MS;
  readonly openedAt: number;
  private readonly logger = new Logger(RealtimeSession.name);
  private readonly playback: AudioPlayback;
  private readonly customer: CustomerAudio;
  private readonly events = new SessionEvents();
  private connection: RealtimeConnection | null = null;
  private responses: RealtimeResponses | null = null;
  private readonly held = new HeldAudio();
  private endReason = 'line_lost';
  private closed = false;
  private hasFailed = false;

  constructor(
    private readonly line: AudioLine,
    private readonly clock: Clock,
    private readonly settings: RealtimeSettings,
    rules: InterruptionRules,
    detector: VoiceActivityDetector,
    private readonly observer: RealtimeObserver = NO_OBSERVER,
    turnModel?: EndOfTurnModel,
  ) {
    this.openedAt = line.openedAt;
    this.playback = new AudioPlayback(line, clock, (text) => this.reportPlayed(text), settings.speed);
    const audibleMs = (): number => this.playback.audibleMs;
    const parts = { clock, detector, turnModel, audibleMs, connection: () => this.connection };
    this.customer = new CustomerAudio(settings, rules, parts, {
      speaking: (on) => this.events.emit({ kind: 'speaking', who: 'customer', on }),
      words: (text) => this.events.emit({ kind: 'utterance', text, final: false }),
      interrupts: () => this.interrupt(),
      committed: (turn) => this.handleCommitted(turn),
      transcribed: (turn, text) => this.handleTranscript(turn, text),
      noise: (itemId) => this.connection?.deleteItem(itemId),
      waitOver: () => this.connection?.close(),
    });
  }

  /** Whether the model failed: the line is still open, and the call continues without the model. */
  get failed(): boolean {
    return this.hasFailed;
  }

  get lastVoiceAt(): number {
    return this.customer.lastVoiceAt;
  }

  /** Connects the line with the model. With an unreachable model the session is `failed`. */
  async connect(model: Pick<RealtimeModel, 'connect'>): Promise<void> {
    const { clock, playback, observer } = this;
    try {
      const connection = await model.connect(this.settings, (event) => this.handleModelEvent(event));
      const onFailure = (why: string): void => this.fail(why);
      this.connection = connection;
      const onReworded = (text: string, said: string): void =>
        this.events.emit({ kind: 'reworded', text, said });
      const parts = { clock, connection, playback, observer };
      this.responses = new RealtimeResponses({ ...parts, onFailure, onReworded });
      this.line.onEvent((event) => this.handleLineEvent(event));
    } catch (error) {
      this.fail(error instanceof Error ? error.message : 'The realtime model failed');
    }
  }

  say(token: string, last: boolean, options: SpeechOptions): void {
    if (this.closed || token === '') return;
    if (last && token.trim() === '') this.stopForNewSpeech();
    else if (last) this.responses?.speakSentence(token, options);
    else if (this.responses?.hasUnplayedResponse) this.playResponse();
    else if (!this.held.isEmpty) this.resumeHeld(token, options);
  }

  sendDigits(digits: string): void {
    if (!this.closed) this.line.sendDigits(digits);
  }

  switchLanguage(language: string): void {
    this.customer.switchLanguage(language);
  }

  /** `hangUp` ends the line later: the carrier then requests instructions at once, and everything has to be stored. */
  end(reason: string): void {
    this.endReason = reason;
    this.close();
  }

  /** Ends the line. A call that has not ended continues with the next instructions to the carrier. */
  hangUp(): void {
    this.close();
    this.line.end(this.endReason);
  }

  waitForWords(): Promise<void> {
    return this.customer.turns.waitOver;
  }

  /** Leaves the call to another line. */
  release(): void {
    this.line.release?.();
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.events.setListener(listener);
  }

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (!this.responses || this.closed) throw new LanguageModelError('The realtime session is closed', false);
    yield* this.responses.stream(request, signal);
  }

  /** Speech that was held is not continued. */
  private playResponse(): void {
    this.held.discard();
    this.responses?.playResponse();
  }

  /** Continues held speech with its own audio. */
  private resumeHeld(text: string, options: SpeechOptions): void {
    this.customer.bargeIn.confirm(false);
    const again = this.held.take(text.trim());
    if (again.length === 0) this.responses?.speakSentence(text, options);
    for (const speech of again) {
      this.responses?.markResumed(speech);
      this.playback.resumeSpeech(speech);
    }
  }

  /** Stops the playing speech before newer speech. */
  private stopForNewSpeech(): void {
    for (const speech of this.stopPlayback()) speech.releaseAudio();
    this.events.emit({ kind: 'speaking', who: 'assistant', on: false });
  }

  /** @param turn whose words interrupt, though not the response to it @returns whether speech was stopped */
  private interrupt(turn = Infinity): boolean {
    const { currentSpeech } = this.playback;
    if (this.closed || !currentSpeech?.isInterruptible || currentSpeech.answersTurn >= turn) return false;
    this.held.hold(this.stopPlayback());
    this.events.emit({
      kind: 'interrupted',
      heard: currentSpeech.text.slice(0, currentSpeech.reportedCharacters).trim(),
    });
    return true;
  }

  private stopPlayback(): SpokenAudio[] {
    const stopped = this.playback.stop();
    this.responses?.markStopped(stopped);
    return stopped;
  }

  private handleLineEvent(event: AudioLineEvent): void {
    if (this.closed) return;
    switch (event.kind) {
      case 'audio':
        return this.customer.push(event.audio);
      case 'mark':
        return this.playback.markReached(event.name);
      case 'digit':
        this.customer.bargeIn.keyPressed();
        return this.events.emit(event);
      case 'interrupted':
        return this.customer.bargeIn.keyPressed();
      case 'text':
        this.customer.bargeIn.keyPressed();
        return this.events.emit({ kind: 'utterance', text: event.text, final: true });
      case 'closed':
        this.playback.reportPlayed();
        this.close();
        return this.events.emit(event);
    }
  }

  private handleModelEvent(event: RealtimeEvent): void {
    if (this.closed && !isOfCustomer(event)) return;
    switch (event.kind) {
      case 'words':
        this.line.caption?.('customer', event.text, false);
        return this.customer.handleEvent(event);
      case 'speech':
      case 'committed':
      case 'heard':
        return this.customer.handleEvent(event);
      case 'closed':
        return this.fail('The realtime model closed the session');
      default:
        return this.responses?.onEvent(event);
    }
  }

  private handleCommitted({ itemId, number, voicedMs }: CustomerTurn): void {
    this.responses?.addCustomerTurn(itemId, number);
    this.events.emit({ kind: 'committed', turn: itemId, voicedMs });
  }

  private handleTranscript({ itemId, number }: CustomerTurn, text: string): void {
    this.customer.bargeIn.confirm(text !== '');
    if (text !== '') this.responses?.history.setCustomerText(itemId, text);
    if (text !== '' && text !== NOT_TRANSCRIBED) {
      if (this.customer.isInterruption(text)) this.interrupt(number);
      this.line.caption?.('customer', text, true);
    }
    this.events.emit({ kind: 'utterance', text, final: true, turn: itemId });
  }

  private reportPlayed(text: string): void {
    this.customer.markPlayed(text);
    this.line.caption?.('assistant', text, false);
    this.events.emit({ kind: 'played', text });
  }

  private fail(why: string): void {
    if (this.closed) return;
    this.logger.warn(why);
    this.hasFailed = true;
    this.responses?.fail(why);
    this.playback.reportPlayed();
    this.close();
    this.line.clear();
    this.events.emit({ kind: 'closed' });
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.customer.close(this.hasFailed);
    this.responses?.close();
    this.customer.turns.startWait(!this.hasFailed);
  }
}
