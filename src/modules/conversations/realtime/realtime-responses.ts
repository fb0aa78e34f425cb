import {
  LanguageModelError,
  type ModelDelta,
  type ModelUsage,
  type StreamRequest,
} from '../../llm/language-model.js';
import type { RealtimeConnection, RealtimeEvent, RealtimeRequest } from '../../speech/realtime-model.js';
import type { SpeechOptions } from '../../telephony/call-session.js';
import type { Clock } from '../engine/clock.js';
import { NOT_TRANSCRIBED } from '../engine/committed-turns.js';
import type { AudioPlayback } from './audio-playback.js';
import { RealtimeResponseStream } from './realtime-response-stream.js';
import { CONTINUE_PROMPT } from '../engine/phrases.js';
import { RealtimeHistory } from './realtime-history.js';
import type { RealtimeObserver } from './realtime-metrics.js';
import { ResponseRequests } from './response-requests.js';
import { SpokenAudio } from './spoken-audio.js';

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
  /** A speech has other words than the engine knows. */
  onReworded: (text: string, said: string) => void;
}

/** Requests responses of the realtime model, one at a time, and the speech of given sentences. */
export class RealtimeResponses {
  readonly history = new RealtimeHistory();
  private readonly clock: Clock;
  private readonly connection: RealtimeConnection;
  private readonly playback: AudioPlayback;
  private readonly sentences = new Map<string, SpokenAudio>();
  private readonly requests: ResponseRequests;
  private activeResponse: RealtimeResponseStream | null = null;
  /** Stopped responses that are not truncated in the model's conversation yet. */
  private readonly untruncated = new Set<SpokenAudio>();
  private sentenceUsage = NO_USAGE;
  private nameCount = 0;
  /** Number of the last turn of the customer in the model's conversation. */
  private customerTurn = 0;

  constructor(private readonly dependencies: ResponseDependencies) {
    this.clock = dependencies.clock;
    this.connection = dependencies.connection;
    this.playback = dependencies.playback;
    this.requests = new ResponseRequests(this.clock, this.connection, {
      nextRequest: (request) => this.prepareRetry(request),
      failed: (why, { response }) => this.handleFailure(why, this.sentences.get(response)),
    });
  }

  /** Requests a response. Ends early, without an error, when the signal aborts. @throws LanguageModelError */
  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    // One response at a time.
    await this.activeResponse?.waitUntilEnded(this.clock);
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

  /** The customer's audio is in the model's conversation. Its words are set in `history` when they are known. */
  addCustomerTurn(itemId: string, number: number): void {
    this.customerTurn = number;
    this.history.addCustomerItem(itemId, NOT_TRANSCRIBED);
  }

  /** Whether the engine has not started to play the response that it reads. */
  get hasUnplayedResponse(): boolean {
    const { activeResponse: answer } = this;
    if (!answer || answer.isAbandoned) return false;
    return !answer.speech.wasStarted && answer.speech.text !== '';
  }

  /** The engine has started to speak the response. */
  playResponse(): void {
    const speech = this.activeResponse?.speech;
    if (!speech || speech.wasStarted) return;
    this.leaveOutUnheard();
    speech.wasStarted = true;
    this.playback.add(speech);
  }

  /** Speaks a given sentence. */
  speakSentence(text: string, { interruptible, preemptible, optional }: SpeechOptions): void {
    this.leaveOutUnheard();
    const name = `sentence-${++this.nameCount}`;
    const mayBeStopped = interruptible || preemptible;
    const speech = new SpokenAudio(name, text, mayBeStopped, this.customerTurn, optional);
    this.sentences.set(name, speech);
    this.playback.add(speech);
    this.requests.create({ kind: 'sentence', response: name, text });
  }

  /** Speeches were stopped before their end. */
  markStopped(speeches: readonly SpokenAudio[]): void {
    for (const speech of speeches) if (!this.sentences.has(speech.name)) this.untruncated.add(speech);
  }

  /**
   * A stopped speech continues. The part that was unheard is added to the model's conversation again, as text, when it
   * was heard.
   */
  markResumed(speech: SpokenAudio): void {
    if (this.untruncated.delete(speech) || this.sentences.has(speech.name)) return;
    for (const itemId of this.history.takeCutResponse(speech)) this.connection.deleteItem(itemId);
  }

  onEvent(event: ResponseEvent): void {
    const name = this.requests.find(event.response);
    if (name === null) return;
    const answer = this.activeResponse?.name === name ? this.activeResponse : null;
    const speech = answer?.speech ?? this.sentences.get(name);
    if (event.kind === 'done' && !speech) this.requests.close(event.response);
    if (!speech) return;
    this.requests.handleEvent(event);
    if (event.kind === 'done') return this.handleDone(event, speech, answer);
    if (event.kind === 'call') this.history.addToolCall(event.call.id, event.itemId);
    // Of a cancelled response.
    if (event.kind === 'refused' && speech.complete)
      return this.handleDone({ ...event, kind: 'done', status: 'cancelled', usage: null }, speech, answer);
    if (event.kind === 'refused') return this.requests.handleRefusal(event);
    if (speech.complete || event.kind === 'progress') return;
    if (event.kind === 'call') return answer?.addToolCall(event.call);
    speech.beginItem(event.itemId, this.playback.lengthMs(speech));
    if (event.kind === 'audio') this.addAudio(speech, event);
    else {
      const text = speech.addText(event.text);
      answer?.addText(text);
      if (!answer) this.reportText(speech);
    }
    if (speech.text.length > MAX_CHARACTERS || this.playback.lengthMs(speech) > MAX_AUDIO_MS)
      return this.dependencies.onFailure('The realtime model speaks without end');
    this.playback.sendAvailable();
  }

  /** The session has failed. */
  fail(why: string): void {
    this.activeResponse?.fail(new LanguageModelError(why, false));
    for (const speech of this.sentences.values()) if (!speech.complete) speech.breakOff();
  }

  /** The session has ended: nothing is requested again. */
  close(): void {
    this.requests.closeAll();
  }

  private addAudio(
    speech: SpokenAudio,
    { response, audio }: Extract<RealtimeEvent, { kind: 'audio' }>,
  ): void {
    if (speech.bytes === 0) this.dependencies.observer.observeFirstAudio(this.requests.waitedMs(response));
    speech.addAudio(audio);
  }

  /** Optional sentences without audio would delay newer speech. */
  private leaveOutUnheard(): void {
    for (const speech of this.sentences.values())
      if (speech.isOptional && !speech.complete && speech.bytes === 0) this.leaveOut(speech);
  }

  private leaveOut(speech: SpokenAudio): void {
    this.requests.cancel(speech.name);
    const said = speech.endAtAudio(this.playback.likelyCharacters(speech));
    this.dependencies.onReworded(speech.knownText, said);
    speech.knownText = said;
    this.playback.sendAvailable();
  }

  private handleFailure(why: string, sentence: SpokenAudio | undefined): void {
    if (sentence?.isOptional) this.leaveOut(sentence);
    else this.dependencies.onFailure(why);
  }

  /** Tells the engine what the model says in place of a given sentence. */
  private reportText(speech: SpokenAudio): void {
    const { text, knownText } = speech;
    if (text === knownText) return;
    speech.knownText = text;
    this.dependencies.onReworded(knownText, text);
  }

  /** The rest of a response that failed: nothing is said, and no tool is called, twice. */
  private prepareRetry(request: RealtimeRequest): RealtimeRequest | null {
    const answer = this.activeResponse?.name === request.response ? this.activeResponse : null;
    const speech = answer?.speech ?? this.sentences.get(request.response);
    if (!speech || speech.complete || speech.isOptional || answer?.isAbandoned || answer?.callsTools)
      return null;
    const rest = speech.cutToAudio(this.playback.likelyCharacters(speech));
    if (request.kind === 'sentence') {
      this.reportText(speech);
      return { ...request, text: rest || request.text };
    }
    const read = answer?.cutText(speech.text) ?? '';
    if (read.length > speech.text.length) this.dependencies.onReworded(read, speech.text);
    if (speech.text === '') return request;
    const instruction = [request.instruction, CONTINUE_PROMPT].filter(Boolean).join('\n\n');
    return { ...request, instruction };
  }

  /** Corrects the model's conversation by the engine's memory, and requests the next response. */
  private requestResponse({ model, messages, tools, mayCallTools }: StreamRequest): RealtimeResponseStream {
    const { connection } = this;
    const [first, ...rest] = messages;
    const cue = rest.at(-1)?.role === 'system' ? rest.pop() : undefined;
    connection.updateInstructions(first?.role === 'system' ? first.text : '', tools);
    for (const speech of this.untruncated) {
      this.truncate(speech);
      if (!speech.isHeld) speech.releaseAudio();
    }
    this.untruncated.clear();
    for (const itemId of this.history.takeWithdrawnCalls(rest)) connection.deleteItem(itemId);
    for (const { item, after } of this.history.takeMissingItems(rest)) connection.addItem(item, after);
    const name = `answer-${++this.nameCount}`;
    const speech = new SpokenAudio(name, null, true, this.customerTurn);
    const answer = new RealtimeResponseStream(name, speech, model);
    this.activeResponse = answer;
    this.history.addResponse(speech);
    const instruction = cue?.role === 'system' ? cue.text : null;
    this.requests.create({ kind: 'answer', response: name, instruction, mayCallTools });
    return answer;
  }

  /** Removes the unheard audio from the model's conversation. */
  private truncate(speech: SpokenAudio): void {
    const playedMs = this.playback.playedMs(speech);
    speech.items.forEach(({ itemId, startMs }, index) => {
      const endMs = speech.items[index + 1]?.startMs ?? Infinity;
      if (endMs > playedMs) this.connection.truncateItem(itemId, Math.max(0, playedMs - startMs));
    });
  }

  /** Cancels the rest of a response; further events of it are dropped. */
  private cancelResponse(answer: RealtimeResponseStream): void {
    const { speech } = answer;
    answer.abandon();
    if (!answer.isEnded && !speech.complete) {
      const isFollowed = this.requests.cancel(answer.name);
      speech.breakOff();
      if (!isFollowed) answer.complete(null);
    }
    if (!this.playback.hasSpeech(speech) && !speech.isPlayed) this.untruncated.add(speech);
    this.playback.sendAvailable();
  }

  private handleDone(
    { response, status, usage, retryAfterMs }: Extract<RealtimeEvent, { kind: 'done' }>,
    speech: SpokenAudio,
    answer: RealtimeResponseStream | null,
  ): void {
    if (status === 'failed' && !speech.complete)
      return this.requests.retry(response, 'The realtime model failed in a response', retryAfterMs);
    this.requests.close(response);
    const isSilent = status !== 'cancelled' && !speech.complete && speech.bytes === 0;
    // Text without audio would be stored although it was not heard.
    if (isSilent && speech.text !== '')
      return this.handleFailure('The realtime model responds without audio', this.sentences.get(speech.name));
    if (!speech.complete && status === 'cancelled') speech.breakOff();
    speech.complete = true;
    if (!answer) this.reportText(speech);
    if (usage) this.dependencies.observer.countTokens(usage);
    if (answer && !answer.isAbandoned) answer.complete(usage && this.addSentenceUsage(usage));
    else {
      answer?.complete(null);
      if (usage) this.sentenceUsage = sum(this.sentenceUsage, usage);
    }
    this.playback.sendAvailable();
  }

  /** Adds the usage of given sentences, and of responses that nobody read, to the next response. */
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
