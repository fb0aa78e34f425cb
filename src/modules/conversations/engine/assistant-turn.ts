import { Logger } from '@nestjs/common';
import { inSpan, addSpanEvent } from '#src/common/tracing/tracing.js';
import {
  type ModelMessage,
  type ModelToolCall,
  FilteredAnswerError,
  LanguageModelError,
} from '../../llm/language-model.js';
import { streamWithFallback } from '../../llm/model-fallback.js';
import { BUILT_IN_ENDS } from './built-in-tools.js';
import type { TransferTarget } from './conversation-settings.js';
import type { TurnTimings } from './conversation-recorder.js';
import { answers, type Cue } from './turn-queue.js';
import type { AssistantEntry } from './conversation-memory.js';
import { SpeechText } from './speech-text.js';
import { ToolRound } from './tool-round.js';
import type { TurnTools } from './turn-tools.js';
import { WaitingPhrases } from './waiting-phrases.js';

const FILLER_AFTER_MS = 700;
/** Several minutes of speech. */
const MAX_OUTPUT_TOKENS = 1_000;
/** A model that has neither text nor a tool call by then is given up: the customer would hang up. */
const FIRST_TOKEN_LIMIT_MS = 10_000;
/** After this many consecutive rounds of tools the model has to speak. */
const MAX_TOOL_ROUNDS = 5;

/** `failed`: the model returned nothing to say, also after a second request. `late`: it took too long to begin. */
export type TurnOutcome = 'said' | 'aborted' | 'failed' | 'late' | 'goodbye' | 'stop_calling' | 'transferred';

interface Listening {
  text: boolean;
  calls: ModelToolCall[];
  /** The answer ended before it was complete. */
  stopped: boolean;
}

/** Characters at the end of an answer that tell whether its last sentence is whole. */
const SENTENCE_END = 8;
const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’)\]*\s]*$/.test(text);

/** One turn of the assistant: asks the model, speaks while the answer streams, runs tools, and asks again. */
export class AssistantTurn {
  private readonly logger = new Logger(AssistantTurn.name);
  private readonly controller = new AbortController();
  private readonly timings: TurnTimings;
  private readonly waiting: WaitingPhrases;
  private filled = false;
  private running = false;
  private said = false;
  private late = false;
  private target: TransferTarget | undefined;

  constructor(
    private readonly shared: TurnTools,
    private readonly cue: Cue,
    /** The first turn after the session broke. */
    resumes: boolean,
  ) {
    this.timings = answers(cue) ? { prompt: shared.clock.now() } : {};
    this.waiting = new WaitingPhrases(
      shared.clock,
      () => shared.language.phrases.waiting,
      (phrase) => this.sayMeanwhile(phrase),
      resumes,
    );
  }

  /** Whether anything but a filler was spoken. */
  get spoke(): boolean {
    return this.said;
  }

  /** Who gets the call, after the outcome `transferred`. */
  get transfer(): TransferTarget | undefined {
    return this.target;
  }

  get toolRuns(): boolean {
    return this.running;
  }

  /** Stops the model, but not a running tool, whose effect may not be repeatable. */
  abort(): void {
    this.controller.abort();
  }

  run(): Promise<TurnOutcome> {
    const options = { attributes: { 'turn.cue': this.cue }, startTime: this.timings.prompt };
    return inSpan('turn', options, async (span) => {
      const outcome = await this.takeSafely();
      span.setAttribute('turn.outcome', outcome);
      return outcome;
    });
  }

  private async takeSafely(): Promise<TurnOutcome> {
    try {
      return await this.takeRounds();
    } catch (error) {
      this.logger.error(`A turn (${this.cue}) failed`, error instanceof Error ? error.stack : undefined);
      return 'failed';
    } finally {
      this.waiting.stop();
    }
  }

  private async takeRounds(): Promise<TurnOutcome> {
    for (let round = 0; ; round += 1) {
      const entry = this.shared.transcript.memory.assistant();
      const calls = await this.ask(entry, round < MAX_TOOL_ROUNDS);
      if (this.controller.signal.aborted) return 'aborted';
      if (calls === null) return this.late ? 'late' : 'failed';
      if (calls.length === 0) return 'said';
      const chosen = this.shared.transfers.find(calls);
      const others = calls.filter((call) => call !== chosen?.call);
      const mustAnswer = await this.runTools(others, entry);
      if (this.controller.signal.aborted) return 'aborted';
      const end = calls.map(({ name }) => BUILT_IN_ENDS.get(name)).find((reason) => reason !== undefined);
      // A model that says goodbye to a customer whom it hands over does not mean the call's end.
      if (chosen && end !== 'stop_calling') {
        this.target = chosen.target;
        return 'transferred';
      }
      if (end) return end;
      if (!mustAnswer) return 'said';
    }
  }

  /** @returns whether the model has to answer what they returned */
  private async runTools(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<boolean> {
    const { tools } = this.shared;
    if (ToolRound.lasting(calls).length === 0) return true;
    if (!this.said && tools.asksEndpoint(calls)) this.fill();
    this.running = true;
    this.waiting.start();
    const mustAnswer = await tools.run(calls, entry);
    // What the customer is saying belongs to the question that the next request answers.
    await this.shared.customerFinished();
    this.running = false;
    return mustAnswer;
  }

  /** @returns the tools to run; null when the model failed, after one more try where that makes sense. */
  private async ask(entry: AssistantEntry, mayCallTools: boolean): Promise<ModelToolCall[] | null> {
    const deadline = this.shared.clock.now() + FIRST_TOKEN_LIMIT_MS;
    this.waiting.start();
    for (const lastTry of [false, true]) {
      const heard: Listening = { text: false, calls: [], stopped: false };
      try {
        await this.listen(entry, mayCallTools, heard, deadline);
        const calls = mayCallTools ? heard.calls : [];
        if (heard.stopped && calls.length === 0 && !this.controller.signal.aborted) await this.excuse();
        if (heard.text || heard.stopped || calls.length > 0 || this.controller.signal.aborted) return calls;
        throw new LanguageModelError('The language model said nothing', true);
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error;
        this.logger.warn(error.message);
        this.late = this.shared.clock.now() >= deadline;
        this.shared.speaker.finish();
        if (error instanceof FilteredAnswerError) {
          await this.excuse();
          return [];
        }
        // No second request after speech has begun: it would be spoken twice.
        if (lastTry || !error.retryable || heard.text || this.late) return null;
      }
    }
    return null;
  }

  /** Speaks the model's answer while it comes. */
  private async listen(
    entry: AssistantEntry,
    mayCallTools: boolean,
    heard: Listening,
    deadline: number,
  ): Promise<void> {
    const { clock, model, request, prompt, fallback, speaker, transcript, onAsk, language } = this.shared;
    const { signal } = this.controller;
    const timings: TurnTimings = { ...this.timings };
    let received = '';
    let speech = new SpeechText(language.tag);
    const cancelFiller = this.said ? () => undefined : clock.setTimeout(() => this.fill(), FILLER_AFTER_MS);
    const say = async (text: string): Promise<void> => {
      if (!heard.text && text.trim() === '') return;
      cancelFiller();
      this.waiting.stop();
      if (!heard.text) await Promise.all([this.floor(), transcript.customerStored()]);
      if (signal.aborted || text === '') return;
      if (!heard.text) addSpanEvent('first frame');
      speaker.say(text, entry, timings);
      heard.text = this.said = true;
    };
    onAsk();
    try {
      const messages = this.messages();
      for await (const delta of streamWithFallback(
        model,
        {
          ...request,
          messages,
          mayCallTools,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          speech: { isFirst: !transcript.memory.hasAnswered, prompt },
        },
        signal,
        { ...fallback, limitMs: deadline - clock.now(), setTimer: (task, ms) => clock.setTimeout(task, ms) },
      )) {
        if (timings.modelFirst === undefined) addSpanEvent('first token');
        timings.modelFirst ??= clock.now();
        if (delta.kind === 'usage') {
          transcript.modelUsed(delta);
        } else if (delta.kind === 'tool_call') {
          heard.calls.push(delta);
        } else if (delta.kind === 'retract') {
          speech = new SpeechText(language.tag);
        } else if (delta.kind === 'stopped') {
          heard.stopped = delta.reason === 'filter' || !(speech.ended || endsSentence(received));
        } else if (!speech.ended) {
          received = (received + delta.text).slice(-SENTENCE_END);
          await say(delta.spoken ? delta.text : speech.add(delta.text));
          if (speech.ended) speaker.finish();
        }
        if (signal.aborted) return;
      }
      if (!signal.aborted && !speech.ended) await say(speech.rest());
    } finally {
      cancelFiller();
    }
    if (!signal.aborted) speaker.finish();
  }

  private async excuse(): Promise<void> {
    await this.floor();
    if (this.controller.signal.aborted) return;
    this.shared.speaker.sayWhole(this.shared.language.phrases.unfinished);
    this.said = true;
  }

  /** Nothing is said while the customer speaks. */
  private async floor(): Promise<void> {
    await this.shared.customerFinished();
    await this.shared.speaker.floor();
  }

  private messages(): ModelMessage[] {
    const { instructions, inactivityPrompts, transcript } = this.shared;
    const messages = [instructions(), ...transcript.memory.messages()];
    if (this.cue !== 'answer') messages.push({ role: 'system', text: inactivityPrompts[this.cue] });
    return messages;
  }

  private fill(): void {
    const { language, speaker, transcript, customerSpeaks } = this.shared;
    if (customerSpeaks() || speaker.holding) return;
    const phrase = this.filled ? null : language.fillers?.pick(transcript.memory.lastHeard);
    if (!phrase) return;
    this.filled = true;
    speaker.fill(phrase);
  }

  private sayMeanwhile(phrase: string): void {
    const { speaker, customerSpeaks } = this.shared;
    if (!speaker.playing && !speaker.holding && !customerSpeaks()) speaker.fill(phrase);
  }
}
