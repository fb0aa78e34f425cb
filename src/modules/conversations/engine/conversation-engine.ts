import { Logger } from '@nestjs/common';
import type { CallSession, CallSessionEvent } from '#src/modules/telephony/call-session.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { AssistantTurn, type TurnOutcome, type TurnTools } from './assistant-turn.js';
import { isBuiltIn, modelTools } from './built-in-tools.js';
import type { Clock } from './clock.js';
import { type ConversationRecorder, RecordingQueue } from './conversation-recorder.js';
import {
  type ConversationSettings,
  type EarlierConversation,
  resultOf,
  type ConversationResult,
  type EndReason,
} from './conversation-settings.js';
import { TurnQueue, type Cue } from './turn-queue.js';
import { DtmfCollector } from './dtmf-collector.js';
import { Fillers } from './fillers.js';
import { phrasesFor, type Phrases, systemPrompt } from './phrases.js';
import { Playback } from './playback.js';
import { SilenceWatch } from './silence-watch.js';
import { Speaker } from './speaker.js';
import { ToolRound } from './tool-round.js';
import { type ToolRunner } from './tool-runner.js';
import { Transcript } from './transcript.js';
import { interruptionDecision, countWords } from './interruption-policy.js';

/** The longest time that a call stays open for its goodbye to be played. */
const GOODBYE_LIMIT_MS = 5_000;

export interface ConversationParts {
  clock: Clock;
  session: CallSession;
  model: LanguageModel;
  tools: ToolRunner;
  recorder: ConversationRecorder;
}

/**
 * Runs one conversation, from the open call session to an end reason. It handles turns, not transport: who may
 * speak, what was heard, when the conversation is over.
 */
export class ConversationEngine {
  private readonly logger = new Logger(ConversationEngine.name);
  private readonly clock: Clock;
  private readonly session: CallSession;
  private readonly phrases: Phrases;
  private readonly records: RecordingQueue;
  private readonly transcript: Transcript;
  private readonly playback: Playback;
  private readonly speaker: Speaker;
  private readonly silence: SilenceWatch;
  private readonly digits: DtmfCollector;
  private readonly cues = new TurnQueue();
  private readonly over = new AbortController();
  private readonly shared: TurnTools;
  private turn: AssistantTurn | null = null;
  private failures = 0;
  private customerSpeaks = false;
  private result: ConversationResult | null = null;
  private cancelLimit: () => void = () => undefined;
  private release: () => void = () => undefined;

  constructor(
    parts: ConversationParts,
    private readonly settings: ConversationSettings,
    private readonly earlier: EarlierConversation | null = null,
  ) {
    const { clock, session, model, recorder } = parts;
    this.clock = clock;
    this.session = session;
    this.phrases = phrasesFor(settings.language);
    this.records = new RecordingQueue(recorder);
    this.transcript = new Transcript(clock, this.records, earlier?.history ?? []);
    this.playback = new Playback(clock, (speech) => {
      this.transcript.played(speech);
      this.settle();
    });
    this.speaker = new Speaker(clock, session, this.playback, this.transcript, {
      interruptible: settings.allowInterruptions && settings.minInterruptWords <= 1,
      preemptible: settings.allowInterruptions && settings.minInterruptWords > 1,
    });
    this.silence = new SilenceWatch(
      clock,
      { reengageMs: settings.reengagementSeconds * 1000, maxMs: settings.maxSilenceSeconds * 1000 },
      { reengage: () => this.cues.enqueueTurn('reengage'), tooLong: () => void this.end('silence') },
    );
    this.digits = new DtmfCollector(clock, (digits) => this.heard(`[keys pressed: ${digits}]`, Infinity));
    const tools = settings.tools.filter(({ name }) => !isBuiltIn(name));
    this.shared = {
      clock,
      model,
      request: {
        model: settings.model,
        temperature: settings.temperature,
        tools: modelTools(tools, settings.endCallDescription),
      },
      instructions: { role: 'system', text: systemPrompt(settings) },
      speaker: this.speaker,
      transcript: this.transcript,
      tools: new ToolRound(clock, parts.tools, this.transcript, tools, this.over.signal),
      fillers: settings.fillers && new Fillers(settings.fillers),
      onAsk: () => this.cues.answered(),
    };
  }

  /** Resolves when the conversation is over and the recorder has received all of it. */
  async run(): Promise<ConversationResult> {
    const released = new Promise<void>((resolve) => (this.release = resolve));
    const leftMs = (this.settings.maxDurationSeconds - (this.earlier?.elapsedSeconds ?? 0)) * 1000;
    this.cancelLimit = this.clock.setTimeout(
      () => void this.end('max_duration', this.phrases.timeUp),
      leftMs,
    );
    this.open();
    this.session.onEvent((event) => this.hear(event));
    this.settle();
    await Promise.all([this.takeTurns(), released]);
    await this.records.flushed();
    return this.result ?? resultOf('line_lost');
  }

  private open(): void {
    const { greeting } = this.settings;
    if (this.earlier) this.cues.enqueueTurn(this.transcript.memory.awaitsAnswer ? 'answer' : 'resume');
    else if (greeting) this.speaker.greeted(greeting);
  }

  private hear(event: CallSessionEvent): void {
    switch (event.kind) {
      case 'utterance':
        if (event.final) this.heard(event.text, countWords(event.text, this.settings.language));
        else this.silence.reset();
        break;
      case 'interrupted':
        this.interrupted(event.heard);
        break;
      case 'digit':
        this.silence.reset();
        this.digits.push(event.digit);
        break;
      case 'speaking':
        if (event.who === 'assistant') this.playback.spoken(event.on);
        else this.customerSpoke(event.on);
        break;
      case 'played':
        this.playback.played(event.text);
        break;
      case 'closed':
        this.drop('line_lost');
        break;
      case 'failed':
        break;
    }
    this.settle();
  }

  private customerSpoke(on: boolean): void {
    this.customerSpeaks = on;
    this.silence.reset();
  }

  private heard(text: string, words: number): void {
    this.customerSpoke(false);
    if (this.result) return this.transcript.customer(text);
    const floor = interruptionDecision({
      words,
      assistantSpeaks: this.speaker.playing,
      toolRuns: this.turn?.toolRuns ?? false,
      allowInterruptions: this.settings.allowInterruptions,
      minInterruptWords: this.settings.minInterruptWords,
    });
    if (floor === 'ignore') return;
    if (floor === 'take') {
      this.turn?.abort();
      if (this.speaker.playing) this.speaker.cut(null);
    }
    this.transcript.customer(text.trim());
    this.cues.enqueueTurn('answer');
  }

  /** Speech has stopped already. A model that has not begun to speak continues: the sound may be noise. */
  private interrupted(heard: string): void {
    this.silence.reset();
    if (this.speaker.midSpeech) this.turn?.abort();
    this.speaker.cut(heard);
  }

  /** Runs one turn after the other, each with everything that was said so far. */
  private async takeTurns(): Promise<void> {
    for (let cue = await this.cues.next(); cue !== null; cue = await this.cues.next()) {
      if (!this.settings.allowInterruptions) await this.speaker.silent();
      if (this.result) return;
      const turn = (this.turn = new AssistantTurn(this.shared, cue));
      this.settle();
      const outcome = await this.outcomeOf(turn, cue);
      this.turn = null;
      this.follow(outcome, turn.spoke);
      this.settle();
    }
  }

  private async outcomeOf(turn: AssistantTurn, cue: Cue): Promise<TurnOutcome> {
    try {
      return await turn.run();
    } catch (error) {
      this.logger.error(`A turn (${cue}) failed`, error instanceof Error ? error.stack : undefined);
      return 'failed';
    }
  }

  private follow(outcome: TurnOutcome, spoke: boolean): void {
    if (outcome === 'failed') return this.failed();
    if (outcome !== 'aborted') this.failures = 0;
    if (outcome === 'stop_calling') this.records.push((recorder) => recorder.stopCalling());
    if (outcome === 'goodbye') void this.end('goodbye', spoke ? '' : this.phrases.goodbye);
    if (outcome === 'stop_calling') void this.end('stop_calling', spoke ? '' : this.phrases.removed);
  }

  private failed(): void {
    this.failures += 1;
    if (this.failures > 1) void this.end('model_error', this.phrases.trouble);
    else if (!this.result) this.speaker.sayWhole(this.phrases.again);
  }

  /** Ends the call; a farewell, which may have been sent already, is played first. */
  private async end(reason: EndReason, farewell?: string): Promise<void> {
    if (this.result) return;
    this.decide(reason);
    if (farewell) this.speaker.sayWhole(farewell);
    if (farewell !== undefined) await this.speaker.silentWithin(GOODBYE_LIMIT_MS);
    this.session.end(reason);
    this.speaker.cut(null);
    this.release();
  }

  /** The session is closed; an earlier end reason is kept. */
  private drop(reason: EndReason): void {
    this.decide(reason);
    this.speaker.cut(null);
    this.release();
  }

  private decide(reason: EndReason): void {
    this.result ??= resultOf(reason);
    this.turn?.abort();
    this.over.abort();
    this.cues.close();
    this.digits.stop();
    this.cancelLimit();
    this.settle();
  }

  /** Silence counts only while the assistant neither speaks nor works on an answer. */
  private settle(): void {
    const free = !this.turn && !this.speaker.playing && !this.customerSpeaks && !this.result;
    this.silence.run(free);
  }
}
