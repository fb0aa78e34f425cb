import {
  LanguageModelError,
  type ModelDelta,
  type ModelUsage,
  type StreamRequest,
} from '../../llm/language-model.js';
import type { RealtimeConnection, RealtimeEvent, RealtimeRequest } from '../../speech/realtime-model.js';
import type { Clock } from '../engine/clock.js';
import type { AudioPlayback } from './audio-playback.js';
import { RealtimeResponseStream } from './realtime-response-stream.js';
import { RealtimeHistory } from './realtime-history.js';
import type { RealtimeObserver } from './realtime-metrics.js';
import { SpokenAudio } from './spoken-audio.js';

/** Maximum pause before and within a response: customers hang up after longer ones. */
const RESPONSE_TIMEOUT_MS = 6_000;
/** Maximum wait for the end of a cancelled response before the next request. */
const CANCEL_TIMEOUT_MS = 1_000;
/** Delay of a retry while another response is active. */
const BUSY_RETRY_MS = 300;

/** Limits of one response, above its limit of tokens. */
const MAX_AUDIO_MS = 5 * 60_000;
const MAX_CHARACTERS = 20_000;

const NO_USAGE: ModelUsage = { prompt: 0, cached: 0, completion: 0 };

export type ResponseEvent = Extract<RealtimeEvent, { response: string }>;

export interface ResponseDependencies {
  clock: Clock;
  connection: RealtimeConnection;
  playback: AudioPlayback;
  observer: RealtimeObserver;
  onFailure: (why: string) => void;
}

/** Requests responses of the realtime model, one at a time, and the speech of given sentences. */
export class RealtimeResponses {
  readonly history = new RealtimeHistory();
  private readonly clock: Clock;
  private readonly connection: RealtimeConnection;
  private readonly playback: AudioPlayback;
  private readonly sentences = new Map<string, SpokenAudio>();
  /** Time of the request, or of the last event, by response name. */
  private readonly lastActivityAt = new Map<string, number>();
  private readonly requestedAt = new Map<string, number>();
  private readonly pendingRequests = new Map<string, RealtimeRequest>();
  private activeResponse: RealtimeResponseStream | null = null;
  /** Stopped responses that are not truncated in the model's conversation yet. */
  private readonly untruncated = new Set<SpokenAudio>();
  private sentenceUsage = NO_USAGE;
  private nameCount = 0;

  constructor(private readonly dependencies: ResponseDependencies) {
    this.clock = dependencies.clock;
    this.connection = dependencies.connection;
    this.playback = dependencies.playback;
  }

  /** Requests a response. Ends early, without an error, when the signal aborts. @throws LanguageModelError */
  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    await this.waitForActive();
    if (signal.aborted) return;
    const answer = this.requestResponse(request);
    const stop = (): void => this.cancelResponse(answer);
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* answer.deltas(signal);
    } finally {
      signal.removeEventListener('abort', stop);
      if (!answer.isEnded || signal.aborted) this.cancelResponse(answer);
    }
  }

  /** Plays the streaming response: the engine has started to speak it. */
  playActiveResponse(): void {
    const speech = this.activeResponse?.speech;
    if (speech && !this.playback.hasSpeech(speech) && speech.played === 0) this.playback.add(speech);
  }

  /** Speaks a given sentence. */
  speakSentence(text: string, mayBeStopped: boolean): void {
    const name = `sentence-${++this.nameCount}`;
    const speech = new SpokenAudio(name, text, mayBeStopped);
    this.sentences.set(name, speech);
    this.playback.add(speech);
    this.createResponse({ kind: 'sentence', response: name, text }, () => speech.complete);
  }

  /** Speeches were stopped before their end. */
  markStopped(speeches: readonly SpokenAudio[]): void {
    for (const speech of speeches) if (!this.sentences.has(speech.name)) this.untruncated.add(speech);
  }

  /** A stopped speech continues. */
  markResumed(speech: SpokenAudio): void {
    this.untruncated.delete(speech);
  }

  onEvent(event: ResponseEvent): void {
    const answer = this.activeResponse?.name === event.response ? this.activeResponse : null;
    const speech = answer?.speech ?? this.sentences.get(event.response);
    if (!speech) return;
    if (event.kind !== 'refused') this.lastActivityAt.set(event.response, this.clock.now());
    if (event.kind === 'done') return this.handleDone(event, speech, answer);
    if (event.kind === 'refused') return this.handleRefusal(event);
    // Of a cancelled response.
    if (speech.complete) return;
    if (event.kind === 'call') {
      this.history.addToolCall(event.call.id, event.itemId);
      return answer?.addToolCall(event.call);
    }
    speech.itemId = event.itemId;
    if (event.kind === 'audio') this.addAudio(speech, event.audio);
    else {
      speech.addText(event.text);
      answer?.addText(event.text);
    }
    if (speech.text.length > MAX_CHARACTERS || this.playback.lengthMs(speech) > MAX_AUDIO_MS)
      return this.dependencies.onFailure('The realtime model speaks without end');
    this.playback.sendAvailable();
  }

  /** The session has failed. */
  fail(why: string): void {
    this.activeResponse?.fail(new LanguageModelError(why, false));
    for (const speech of this.sentences.values()) speech.complete = true;
  }

  private addAudio(speech: SpokenAudio, audio: Buffer): void {
    const askedAt = this.requestedAt.get(speech.name);
    if (speech.bytes === 0 && askedAt !== undefined)
      this.dependencies.observer.observeFirstAudio(this.clock.now() - askedAt);
    speech.addAudio(audio);
  }

  /** Corrects the model's conversation by the engine's memory, and requests the next response. */
  private requestResponse({ model, messages, tools, mayCallTools }: StreamRequest): RealtimeResponseStream {
    const { connection } = this;
    const [first, ...rest] = messages;
    const cue = rest.at(-1)?.role === 'system' ? rest.pop() : undefined;
    connection.updateInstructions(first?.role === 'system' ? first.text : '', tools);
    for (const speech of this.untruncated) {
      if (speech.itemId) connection.truncateItem(speech.itemId, this.playback.playedMs(speech));
      speech.releaseAudio();
    }
    this.untruncated.clear();
    for (const { item, after } of this.history.takeMissingItems(rest)) connection.addItem(item, after);
    const name = `answer-${++this.nameCount}`;
    const answer = new RealtimeResponseStream(name, new SpokenAudio(name, null, true), model);
    this.activeResponse = answer;
    this.history.addResponse(answer.speech);
    const instruction = cue?.role === 'system' ? cue.text : null;
    this.createResponse(
      { kind: 'answer', response: name, instruction, mayCallTools },
      () => answer.speech.complete,
    );
    return answer;
  }

  /** Requests a response, with retries while another one is active, and checks its timeouts. */
  private createResponse(request: RealtimeRequest, isOver: () => boolean): void {
    const { response } = request;
    this.connection.createResponse(request);
    this.pendingRequests.set(response, request);
    this.lastActivityAt.set(response, this.clock.now());
    this.requestedAt.set(response, this.clock.now());
    const watch = (): void => {
      if (isOver()) return this.clearRequest(response);
      const leftMs = (this.lastActivityAt.get(response) ?? 0) + RESPONSE_TIMEOUT_MS - this.clock.now();
      if (leftMs <= 0) return this.dependencies.onFailure('The realtime model is too slow');
      this.clock.setTimeout(watch, leftMs);
    };
    this.clock.setTimeout(watch, RESPONSE_TIMEOUT_MS);
  }

  /** The timeout counts from the first request. */
  private handleRefusal({ response, isBusy }: Extract<RealtimeEvent, { kind: 'refused' }>): void {
    const request = this.pendingRequests.get(response);
    if (!isBusy || !request) return this.dependencies.onFailure('The realtime model refused a response');
    this.clock.setTimeout(() => {
      if (this.pendingRequests.has(response)) this.connection.createResponse(request);
    }, BUSY_RETRY_MS);
  }

  private clearRequest(response: string): void {
    this.lastActivityAt.delete(response);
    this.requestedAt.delete(response);
    this.pendingRequests.delete(response);
  }

  /** One response at a time: waits for the end of a cancelled one. */
  private async waitForActive(): Promise<void> {
    const { activeResponse: answer } = this;
    if (!answer || answer.isEnded) return;
    let cancel = (): void => undefined;
    const limit = new Promise<void>(
      (resolve) => (cancel = this.clock.setTimeout(resolve, CANCEL_TIMEOUT_MS)),
    );
    await Promise.race([answer.whenEnded, limit]);
    cancel();
  }

  /** Cancels the rest of a response; further events of it are dropped. */
  private cancelResponse(answer: RealtimeResponseStream): void {
    const { speech } = answer;
    if (!answer.isEnded && !speech.complete) this.connection.cancelResponse(answer.name);
    speech.complete = true;
    if (!this.playback.hasSpeech(speech) && !speech.isPlayed) this.untruncated.add(speech);
    this.playback.sendAvailable();
  }

  private handleDone(
    { status, usage }: Extract<RealtimeEvent, { kind: 'done' }>,
    speech: SpokenAudio,
    answer: RealtimeResponseStream | null,
  ): void {
    if (status === 'failed') return this.dependencies.onFailure('The realtime model failed in a response');
    const isSilent = status !== 'cancelled' && !speech.complete && speech.bytes === 0;
    // Text without audio would be stored although it was not heard.
    if (isSilent && speech.text !== '')
      return this.dependencies.onFailure('The realtime model responds without audio');
    speech.complete = true;
    if (usage) this.dependencies.observer.countTokens(usage);
    if (answer) answer.complete(usage && this.addSentenceUsage(usage));
    else if (usage) this.sentenceUsage = sum(this.sentenceUsage, usage);
    this.playback.sendAvailable();
  }

  /** Adds the usage of given sentences to the next response. */
  private addSentenceUsage(usage: ModelUsage): ModelUsage {
    const total = sum(usage, this.sentenceUsage);
    this.sentenceUsage = NO_USAGE;
    return total;
  }
}

const sum = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  prompt: one.prompt + other.prompt,
  cached: one.cached + other.cached,
  completion: one.completion + other.completion,
});
