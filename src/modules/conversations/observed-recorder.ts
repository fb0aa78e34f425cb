import { pastSpanRecorder } from '#src/common/tracing/tracing.js';
import type { ConversationMetricsService } from './conversation-metrics.service.js';
import {
  BUILT_IN_ENDS,
  SCHEDULE_CALLBACK,
  SEND_DIGITS,
  SWITCH_LANGUAGE,
  TRANSFER_CALL,
} from './engine/built-in-tools.js';
import { CALL_SCREENING } from './engine/call-screening.js';
import type {
  ConversationRecorder,
  RecordedToolCall,
  RecordedTransfer,
  RecordedTurn,
  RecordedUsage,
  AnsweringStep,
} from './engine/conversation-recorder.js';
import type { ConversationResult } from './engine/conversation-settings.js';

/** Functions of the engine, which ask no endpoint. */
const BUILT_INS = new Set([
  ...BUILT_IN_ENDS.keys(),
  SWITCH_LANGUAGE,
  SEND_DIGITS,
  SCHEDULE_CALLBACK,
  TRANSFER_CALL,
  CALL_SCREENING,
]);

/**
 * Derives metrics and the spans of speeches from what is stored of a conversation, so that nothing is measured on the
 * way of an answer. What another process has stored is not measured again.
 */
export class ObservedRecorder implements ConversationRecorder {
  private readonly addSpan = pastSpanRecorder();
  /** Speeches of the assistant that are being heard: `seq` and the time of the first text. */
  private readonly speeches = new Map<number, number>();
  private lastPrompt: number | undefined;
  private wasCut = false;

  constructor(
    private readonly recorder: ConversationRecorder,
    private readonly metrics: ConversationMetricsService,
    /** `seq` of the last turn that was stored before this conversation began or resumed; 0 for none. */
    private lastSeq: number,
  ) {}

  async turn(turn: RecordedTurn): Promise<void> {
    await this.recorder.turn(turn);
    if (turn.seq <= this.lastSeq) return;
    this.lastSeq = turn.seq;
    if (this.wasCut) this.metrics.interrupted();
    this.wasCut = false;
    const { prompt, textFirst } = turn.timings;
    if (turn.role === 'customer') {
      if (prompt !== undefined && turn.silentAt !== undefined) this.metrics.heard(prompt - turn.silentAt);
      return;
    }
    if (textFirst === undefined) return;
    this.speeches.set(turn.seq, textFirst);
    // Later speeches of the same answer, after a tool.
    if (prompt === undefined || prompt === this.lastPrompt) return;
    this.lastPrompt = prompt;
    this.metrics.answered(textFirst - prompt);
  }

  async turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    await this.recorder.turnCut(seq, heardText, interruptedAt);
    // A hang-up cuts speech too, but nothing follows it.
    this.wasCut = true;
    this.over(seq, interruptedAt, false);
  }

  async turnPlayed(seq: number, playedAt: number): Promise<void> {
    await this.recorder.turnPlayed(seq, playedAt);
    this.over(seq, playedAt, true);
  }

  async toolCall(call: RecordedToolCall): Promise<void> {
    await this.recorder.toolCall(call);
    if (!BUILT_INS.has(call.name)) this.metrics.toolRan(call.outcome);
  }

  modelUsed(usage: RecordedUsage): Promise<void> {
    return this.recorder.modelUsed(usage);
  }

  transfer(transfer: RecordedTransfer): Promise<void> {
    return this.recorder.transfer(transfer);
  }

  screening(step: AnsweringStep): Promise<void> {
    return this.recorder.screening(step);
  }

  stopCalling(): Promise<void> {
    return this.recorder.stopCalling();
  }

  ended(result: ConversationResult): Promise<void> {
    return this.recorder.ended(result);
  }

  hurry(): void {
    this.recorder.hurry();
  }

  private over(seq: number, endTime: number, whole: boolean): void {
    const startTime = this.speeches.get(seq);
    if (startTime === undefined) return;
    this.speeches.delete(seq);
    this.addSpan('speech', { startTime, endTime, attributes: { 'turn.seq': seq, 'speech.whole': whole } });
  }
}
