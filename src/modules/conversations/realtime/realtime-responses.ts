import {
  LanguageModelError,
  type ModelDelta,
  type ModelUsage,
  type StreamRequest,
} from '../../llm/language-model.js';
import type { RealtimeConnection, RealtimeEvent, RealtimeRequest } from '../../speech/realtime-model.js';
import type { Clock } from '../engine/clock.js';
import type { AudioPlayback } from './audio-playback.js';
import { RealtimeAnswer } from './realtime-answer.js';
import { RealtimeHistory } from './realtime-history.js';
import type { RealtimeObserver } from './realtime-metrics.js';
import { SpokenAudio } from './spoken-audio.js';

/** A response begins, and goes on, within this time: longer pauses end calls. */
const PAUSE_LIMIT_MS = 6_000;
/** A response that was cancelled ends within this time; the next one is asked for all the same. */
const CANCEL_LIMIT_MS = 1_000;
/** A response that was refused because another one is active is asked for again after this time. */
const BUSY_MS = 300;

/** Of one response: more than it may have by its limit of tokens. */
const MAX_AUDIO_MS = 5 * 60_000;
const MAX_CHARACTERS = 20_000;

const NOTHING_USED: ModelUsage = { prompt: 0, cached: 0, completion: 0 };

export type ResponseEvent = Extract<RealtimeEvent, { response: string }>;

export interface ResponseParts {
  clock: Clock;
  connection: RealtimeConnection;
  playback: AudioPlayback;
  observer: RealtimeObserver;
  onFailure: (why: string) => void;
}

/** What the realtime model is asked to say: answers of its own, one at a time, and given sentences. */
export class RealtimeResponses {
  readonly history = new RealtimeHistory();
  private readonly clock: Clock;
  private readonly connection: RealtimeConnection;
  private readonly playback: AudioPlayback;
  private readonly sentences = new Map<string, SpokenAudio>();
  /** When a response was asked for, or something of it arrived. */
  private readonly lastAt = new Map<string, number>();
  private readonly askedAt = new Map<string, number>();
  private readonly waiting = new Map<string, RealtimeRequest>();
  private answer: RealtimeAnswer | null = null;
  /** Answers that were stopped: the model still believes that all of them was heard. */
  private readonly overstated = new Set<SpokenAudio>();
  private sentenceUsage = NOTHING_USED;
  private named = 0;

  constructor(private readonly parts: ResponseParts) {
    this.clock = parts.clock;
    this.connection = parts.connection;
    this.playback = parts.playback;
  }

  /** Asks for an answer. Ends early, without an error, when the signal aborts. @throws LanguageModelError */
  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    await this.answerOver();
    if (signal.aborted) return;
    const answer = this.ask(request);
    const stop = (): void => this.abandon(answer);
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* answer.deltas(signal);
    } finally {
      signal.removeEventListener('abort', stop);
      if (!answer.ended || signal.aborted) this.abandon(answer);
    }
  }

  /** Plays the answer that is being streamed: the engine has begun to say it. */
  begin(): void {
    const speech = this.answer?.speech;
    if (speech && !this.playback.has(speech) && speech.played === 0) this.playback.add(speech);
  }

  /** Has a given sentence spoken. */
  speak(text: string, mayBeStopped: boolean): void {
    const name = `sentence-${++this.named}`;
    const speech = new SpokenAudio(name, text, mayBeStopped);
    this.sentences.set(name, speech);
    this.playback.add(speech);
    this.respond({ kind: 'sentence', response: name, text }, () => speech.complete);
  }

  /** Speeches were not heard to their end. */
  stopped(speeches: readonly SpokenAudio[]): void {
    for (const speech of speeches) if (!this.sentences.has(speech.name)) this.overstated.add(speech);
  }

  /** A speech that was stopped goes on after all. */
  resumed(speech: SpokenAudio): void {
    this.overstated.delete(speech);
  }

  onEvent(event: ResponseEvent): void {
    const answer = this.answer?.name === event.response ? this.answer : null;
    const speech = answer?.speech ?? this.sentences.get(event.response);
    if (!speech) return;
    if (event.kind !== 'refused') this.lastAt.set(event.response, this.clock.now());
    if (event.kind === 'done') return this.done(event, speech, answer);
    if (event.kind === 'refused') return this.refused(event);
    // Of an answer that is no longer wanted.
    if (speech.complete) return;
    if (event.kind === 'call') {
      this.history.called(event.call.id, event.itemId);
      return answer?.call(event.call);
    }
    speech.itemId = event.itemId;
    if (event.kind === 'audio') this.addAudio(speech, event.audio);
    else {
      speech.addText(event.text);
      answer?.text(event.text);
    }
    if (speech.text.length > MAX_CHARACTERS || this.playback.lengthMs(speech) > MAX_AUDIO_MS)
      return this.parts.onFailure('The realtime model speaks without end');
    this.playback.proceed();
  }

  /** The session is over. */
  fail(why: string): void {
    this.answer?.fail(new LanguageModelError(why, false));
    for (const speech of this.sentences.values()) speech.complete = true;
  }

  private addAudio(speech: SpokenAudio, audio: Buffer): void {
    const askedAt = this.askedAt.get(speech.name);
    if (speech.bytes === 0 && askedAt !== undefined)
      this.parts.observer.firstAudio(this.clock.now() - askedAt);
    speech.addAudio(audio);
  }

  /** Writes into the model's conversation what the engine knows better, and asks for the next answer. */
  private ask({ model, messages, tools, mayCallTools }: StreamRequest): RealtimeAnswer {
    const { connection } = this;
    const [first, ...rest] = messages;
    const cue = rest.at(-1)?.role === 'system' ? rest.pop() : undefined;
    connection.instruct(first?.role === 'system' ? first.text : '', tools);
    for (const speech of this.overstated) {
      if (speech.itemId) connection.truncate(speech.itemId, this.playback.playedMs(speech));
      speech.release();
    }
    this.overstated.clear();
    for (const { item, after } of this.history.missing(rest)) connection.add(item, after);
    const name = `answer-${++this.named}`;
    const answer = new RealtimeAnswer(name, new SpokenAudio(name, null, true), model);
    this.answer = answer;
    this.history.answered(answer.speech);
    const instruction = cue?.role === 'system' ? cue.text : null;
    this.respond({ kind: 'answer', response: name, instruction, mayCallTools }, () => answer.speech.complete);
    return answer;
  }

  /** Asks for a response, again while another one is active, and watches that it begins and ends. */
  private respond(request: RealtimeRequest, isOver: () => boolean): void {
    const { response } = request;
    this.connection.respond(request);
    this.waiting.set(response, request);
    this.lastAt.set(response, this.clock.now());
    this.askedAt.set(response, this.clock.now());
    const watch = (): void => {
      if (isOver()) return this.forget(response);
      const leftMs = (this.lastAt.get(response) ?? 0) + PAUSE_LIMIT_MS - this.clock.now();
      if (leftMs <= 0) return this.parts.onFailure('The realtime model is too slow');
      this.clock.setTimeout(watch, leftMs);
    };
    this.clock.setTimeout(watch, PAUSE_LIMIT_MS);
  }

  /** The time counts from when it was first asked for. */
  private refused({ response, isBusy }: Extract<RealtimeEvent, { kind: 'refused' }>): void {
    const request = this.waiting.get(response);
    if (!isBusy || !request) return this.parts.onFailure('The realtime model refused a response');
    this.clock.setTimeout(() => {
      if (this.waiting.has(response)) this.connection.respond(request);
    }, BUSY_MS);
  }

  private forget(response: string): void {
    this.lastAt.delete(response);
    this.askedAt.delete(response);
    this.waiting.delete(response);
  }

  /** One answer at a time: a cancelled one ends first. */
  private async answerOver(): Promise<void> {
    const { answer } = this;
    if (!answer || answer.ended) return;
    let cancel = (): void => undefined;
    const limit = new Promise<void>((resolve) => (cancel = this.clock.setTimeout(resolve, CANCEL_LIMIT_MS)));
    await Promise.race([answer.over, limit]);
    cancel();
  }

  /** The engine does not want the rest of an answer; what arrives of it from now on is dropped. */
  private abandon(answer: RealtimeAnswer): void {
    const { speech } = answer;
    if (!answer.ended && !speech.complete) this.connection.cancel(answer.name);
    speech.complete = true;
    if (!this.playback.has(speech) && !speech.isPlayedWhole) this.overstated.add(speech);
    this.playback.proceed();
  }

  private done(
    { status, usage }: Extract<RealtimeEvent, { kind: 'done' }>,
    speech: SpokenAudio,
    answer: RealtimeAnswer | null,
  ): void {
    if (status === 'failed') return this.parts.onFailure('The realtime model failed in a response');
    const isSilent = status !== 'cancelled' && !speech.complete && speech.bytes === 0;
    // Text without a voice would be shown and stored, and heard by nobody.
    if (isSilent && speech.text !== '')
      return this.parts.onFailure('The realtime model answers without audio');
    speech.complete = true;
    if (usage) this.parts.observer.used(usage);
    if (answer) answer.done(usage && this.withSentences(usage));
    else if (usage) this.sentenceUsage = sum(this.sentenceUsage, usage);
    this.playback.proceed();
  }

  /** What given sentences cost is told with the next answer. */
  private withSentences(usage: ModelUsage): ModelUsage {
    const total = sum(usage, this.sentenceUsage);
    this.sentenceUsage = NOTHING_USED;
    return total;
  }
}

const sum = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  prompt: one.prompt + other.prompt,
  cached: one.cached + other.cached,
  completion: one.completion + other.completion,
});
