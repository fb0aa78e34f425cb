import { Logger } from '@nestjs/common';
import { runInSpan, addSpanEvent } from '#src/common/tracing/tracing.js';
import {
  type ModelMessage,
  type ModelToolCall,
  ContentFilterError,
  LanguageModelError,
} from '../../llm/language-model.js';
import { streamWithFallback } from '../../llm/model-fallback.js';
import { endsSentence } from '../../speech/sentence-splitter.js';
import { END_REASON_BY_FUNCTION } from './built-in-tools.js';
import type { TransferTarget } from './conversation-settings.js';
import type { TurnTimings } from './conversation-recorder.js';
import { requestsResponse, type TurnTrigger } from './turn-queue.js';
import type { AssistantEntry } from './conversation-memory.js';
import { CONTINUE_PROMPT } from './phrases.js';
import {
  beginProgress,
  firstAttempt,
  hasTimedOut,
  nextAttempt,
  type ResponseAttempt,
  type ResponseProgress,
} from './response-attempt.js';
import { SpokenTextFilter } from './spoken-text-filter.js';
import { ToolRound } from './tool-round.js';
import type { TurnContext } from './turn-context.js';
import { unlessAborted } from './unless-aborted.js';
import { WaitingPhrases } from './waiting-phrases.js';

const FILLER_AFTER_MS = 700;
/** Several minutes of speech. */
const MAX_OUTPUT_TOKENS = 1_000;
/** Consecutive rounds of tools after which the model has to respond in text. */
const MAX_TOOL_ROUNDS = 5;

/** `failed`: no usable response, also after a retry. `late`: no response within the timeout. */
export type TurnOutcome = 'said' | 'aborted' | 'failed' | 'late' | 'goodbye' | 'stop_calling' | 'transferred';

/** Characters at the end of a response that show whether its last sentence is complete. */
const SENTENCE_END_CHARACTERS = 20;

/** One turn of the assistant: requests a response, speaks it while it streams, runs tools, and requests the next. */
export class AssistantTurn {
  private readonly logger = new Logger(AssistantTurn.name);
  private readonly controller = new AbortController();
  private readonly timings: TurnTimings;
  private readonly waitingPhrases: WaitingPhrases;
  private hasRunningTool = false;
  private isSpoken = false;
  private isLate = false;
  private chosenTarget: TransferTarget | undefined;

  constructor(
    private readonly context: TurnContext,
    private readonly trigger: TurnTrigger,
    /** The first turn after the session broke. */
    resumes: boolean,
  ) {
    this.timings = requestsResponse(trigger) ? { prompt: context.clock.now() } : {};
    this.waitingPhrases = new WaitingPhrases(context, () => this.isSpoken, resumes);
  }

  /** Whether anything but a filler was spoken. */
  get hasSpoken(): boolean {
    return this.isSpoken;
  }

  /** Target of the outcome `transferred`. */
  get transferTarget(): TransferTarget | undefined {
    return this.chosenTarget;
  }

  get isToolRunning(): boolean {
    return this.hasRunningTool;
  }

  /** Stops the model, but not a running tool, which may not be idempotent. */
  abort(): void {
    this.controller.abort();
  }

  run(): Promise<TurnOutcome> {
    const options = { attributes: { 'turn.cue': this.trigger }, startTime: this.timings.prompt };
    return runInSpan('turn', options, async (span) => {
      const outcome = await this.runSafely();
      span.setAttribute('turn.outcome', outcome);
      return outcome;
    });
  }

  private async runSafely(): Promise<TurnOutcome> {
    try {
      return await this.runRounds();
    } catch (error) {
      this.logger.error(`A turn (${this.trigger}) failed`, error instanceof Error ? error.stack : undefined);
      return 'failed';
    } finally {
      this.waitingPhrases.stop();
    }
  }

  private async runRounds(): Promise<TurnOutcome> {
    for (let round = 0; ; round += 1) {
      const entry = this.context.transcript.memory.addAssistant();
      const calls = await this.requestResponse(entry, round < MAX_TOOL_ROUNDS);
      if (this.controller.signal.aborted) return 'aborted';
      if (calls === null) return this.isLate ? 'late' : 'failed';
      if (calls.length === 0) return 'said';
      await unlessAborted(this.controller.signal, this.context.waitForDecision());
      if (this.controller.signal.aborted) return 'aborted';
      const chosen = this.context.transfers.findTarget(calls);
      const others = calls.filter((call) => call !== chosen?.call);
      const mustAnswer = await this.runTools(others, entry);
      if (this.controller.signal.aborted) return 'aborted';
      const end = calls
        .map(({ name }) => END_REASON_BY_FUNCTION.get(name))
        .find((reason) => reason !== undefined);
      // With a transfer in the same response, the model's `end_call` is not meant.
      if (chosen && end !== 'stop_calling') {
        this.chosenTarget = chosen.target;
        return 'transferred';
      }
      if (end) return end;
      if (!mustAnswer) return 'said';
    }
  }

  /** @returns whether the model has to respond to the results */
  private async runTools(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<boolean> {
    const { tools } = this.context;
    if (ToolRound.removeEndFunctions(calls).length === 0) return true;
    if (!this.isSpoken && tools.callsEndpoint(calls)) this.waitingPhrases.sayFiller();
    this.hasRunningTool = true;
    this.waitingPhrases.start();
    const mustAnswer = await tools.run(calls, entry);
    // The customer's current words belong to the next request.
    await this.context.waitForCustomer();
    this.hasRunningTool = false;
    return mustAnswer;
  }

  /** @returns the tools to run; null when the model failed, after a retry of retryable errors. */
  private async requestResponse(
    entry: AssistantEntry,
    mayCallTools: boolean,
  ): Promise<ModelToolCall[] | null> {
    const isFirst = requestsResponse(this.trigger) && !this.isSpoken;
    this.waitingPhrases.start(isFirst ? this.context.waitedMs() : 0);
    let attempt: ResponseAttempt | null = firstAttempt(this.context);
    while (attempt) {
      if (attempt.waitMs > 0)
        await unlessAborted(this.controller.signal, this.waitingPhrases.wait(attempt.waitMs));
      if (this.controller.signal.aborted) return [];
      const progress = beginProgress(this.context, attempt);
      try {
        await this.streamResponse(entry, mayCallTools, progress, attempt);
        const calls = mayCallTools ? progress.calls : [];
        if (progress.stopped && calls.length === 0 && !this.controller.signal.aborted)
          await this.sayUnfinished();
        if (progress.text || progress.stopped || calls.length > 0 || this.controller.signal.aborted)
          return calls;
        throw new LanguageModelError('The language model said nothing', true);
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error;
        this.logger.warn(error.message);
        this.isLate = hasTimedOut(this.context, attempt, progress);
        this.context.speaker.finishSpeech();
        if (error instanceof ContentFilterError) {
          await this.sayUnfinished();
          return [];
        }
        attempt = nextAttempt(this.context, attempt, progress, error);
        // The other model may be slow, too.
        if (attempt?.continues) this.waitingPhrases.start(this.context.clock.now() - progress.activeAt);
      }
    }
    return null;
  }

  /** Speaks the model's response while it streams. */
  private async streamResponse(
    entry: AssistantEntry,
    mayCallTools: boolean,
    progress: ResponseProgress,
    attempt: ResponseAttempt,
  ): Promise<void> {
    const { clock, model, request, prompt, fallback, speaker, transcript, onRequest, language } =
      this.context;
    const { signal } = this.controller;
    const timings: TurnTimings = attempt.continues ? {} : { ...this.timings };
    let received = '';
    let speech = new SpokenTextFilter(language.tag);
    const cancelFiller = this.isSpoken
      ? () => undefined
      : clock.setTimeout(() => this.waitingPhrases.sayFiller(), FILLER_AFTER_MS);
    const say = async (text: string): Promise<void> => {
      if (!progress.text && text.trim() === '') return;
      cancelFiller();
      this.waitingPhrases.stop();
      if (!progress.text) await Promise.all([this.waitForFloor(), transcript.waitUntilCustomerStored()]);
      if (signal.aborted || text === '') return;
      if (!progress.text) addSpanEvent('first frame');
      speaker.say(text, entry, timings);
      progress.text = this.isSpoken = true;
    };
    onRequest();
    try {
      const messages = this.messages();
      if (attempt.continues) messages.push({ role: 'system', text: CONTINUE_PROMPT });
      for await (const delta of streamWithFallback(
        model,
        {
          ...request,
          model: attempt.model,
          isFallback: attempt.continues,
          messages,
          mayCallTools,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          maxPauseMs: attempt.maxPauseMs,
          speech: { prompt },
        },
        signal,
        {
          model: attempt.fallbackModel,
          afterMs: fallback.afterMs,
          timeoutMs: attempt.deadline - clock.now(),
          setTimer: (task, ms) => clock.setTimeout(task, ms),
          onResponse: (name) => (progress.model = name),
        },
      )) {
        if (timings.modelFirst === undefined) addSpanEvent('first token');
        progress.activeAt = clock.now();
        timings.modelFirst ??= progress.activeAt;
        if (delta.kind === 'usage') {
          transcript.storeUsage(delta);
        } else if (delta.kind === 'tool_call') {
          progress.calls.push(delta);
        } else if (delta.kind === 'retract') {
          speech = new SpokenTextFilter(language.tag);
        } else if (delta.kind === 'stopped') {
          progress.stopped = delta.reason === 'filter' || !(speech.isFull || endsSentence(received));
        } else if (!speech.isFull) {
          received = (received + delta.text).slice(-SENTENCE_END_CHARACTERS);
          await say(delta.spoken ? delta.text : speech.add(delta.text));
          if (speech.isFull) speaker.finishSpeech();
        }
        if (signal.aborted) return;
      }
      if (!signal.aborted && !speech.isFull) await say(speech.flush());
    } finally {
      cancelFiller();
    }
    if (!signal.aborted) speaker.finishSpeech();
  }

  private async sayUnfinished(): Promise<void> {
    await this.waitForFloor();
    if (this.controller.signal.aborted) return;
    this.context.speaker.saySentence(this.context.language.phrases.unfinished);
    this.isSpoken = true;
  }

  /** The assistant is silent while the customer speaks. */
  private async waitForFloor(): Promise<void> {
    const { signal } = this.controller;
    await unlessAborted(signal, this.context.waitForCustomer());
    await unlessAborted(signal, this.context.speaker.waitUntilSpeechAllowed());
  }

  private messages(): ModelMessage[] {
    const { instructions, triggerPrompts, transcript } = this.context;
    const messages = [instructions(), ...transcript.memory.messages()];
    if (this.trigger !== 'answer') messages.push({ role: 'system', text: triggerPrompts[this.trigger] });
    return messages;
  }
}
