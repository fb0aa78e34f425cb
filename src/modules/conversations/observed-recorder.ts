import { pastSpanRecorder } from '#src/common/tracing/tracing.js';
import type { ConversationMetricsService } from './conversation-metrics.service.js';
import {
  END_REASON_BY_FUNCTION,
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
  AnswererStep,
} from './engine/conversation-recorder.js';
import type { ConversationResult } from './engine/conversation-settings.js';

/** Functions of the engine, without a request to an endpoint. */
const BUILT_IN_FUNCTIONS = new Set([
  ...END_REASON_BY_FUNCTION.keys(),
  SWITCH_LANGUAGE,
  SEND_DIGITS,
  SCHEDULE_CALLBACK,
  TRANSFER_CALL,
  CALL_SCREENING,
]);

/**
 * Derives metrics and the spans of speeches from the stored conversation, so that measuring does not delay a response.
 * Entries stored by another process are not measured again.
 */
export class ObservedRecorder implements ConversationRecorder {
  private readonly addSpan = pastSpanRecorder();
  /** Playing speeches of the assistant: `seq` and the time of the first text. */
  private readonly speeches = new Map<number, number>();
  private lastPrompt: number | undefined;
  private wasInterrupted = false;
  /** Fillers are not measured. */
  private readonly fillers = new Set<number>();

  constructor(
    private readonly recorder: ConversationRecorder,
    private readonly metrics: ConversationMetricsService,
    /** `seq` of the last turn that was stored before this conversation began or resumed; 0 for none. */
    private lastSeq: number,
  ) {}

  async storeTurn(turn: RecordedTurn): Promise<void> {
    await this.recorder.storeTurn(turn);
    if (turn.kind === 'filler') return void this.fillers.add(turn.seq);
    if (turn.seq <= this.lastSeq) return;
    this.lastSeq = turn.seq;
    if (this.wasInterrupted) this.metrics.countInterruption();
    this.wasInterrupted = false;
    const { silent, prompt, textFirst } = turn.timings;
    if (turn.role === 'customer') {
      if (prompt !== undefined && silent !== undefined) this.metrics.observeEndpointWait(prompt - silent);
      return;
    }
    if (textFirst === undefined) return;
    this.speeches.set(turn.seq, textFirst);
    // Later speeches of the same response, after a tool.
    if (prompt === undefined || prompt === this.lastPrompt) return;
    this.lastPrompt = prompt;
    this.metrics.observeFirstFrame(textFirst - prompt);
  }

  async truncateTurn(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    await this.recorder.truncateTurn(seq, heardText, interruptedAt);
    if (this.fillers.has(seq)) return;
    // A hang-up cuts speech too, but nothing follows it.
    this.wasInterrupted = true;
    this.endSpeechSpan(seq, interruptedAt, false);
  }

  async markTurnPlayed(seq: number, playedAt: number): Promise<void> {
    await this.recorder.markTurnPlayed(seq, playedAt);
    this.endSpeechSpan(seq, playedAt, true);
  }

  async storeToolCall(call: RecordedToolCall): Promise<void> {
    await this.recorder.storeToolCall(call);
    if (!BUILT_IN_FUNCTIONS.has(call.name)) this.metrics.observeTool(call.outcome);
  }

  storeUsage(usage: RecordedUsage): Promise<void> {
    return this.recorder.storeUsage(usage);
  }

  storeTransfer(transfer: RecordedTransfer): Promise<void> {
    return this.recorder.storeTransfer(transfer);
  }

  storeScreening(step: AnswererStep): Promise<void> {
    return this.recorder.storeScreening(step);
  }

  suppressNumber(): Promise<void> {
    return this.recorder.suppressNumber();
  }

  storeEnd(result: ConversationResult): Promise<void> {
    return this.recorder.storeEnd(result);
  }

  flush(): void {
    this.recorder.flush();
  }

  private endSpeechSpan(seq: number, endTime: number, whole: boolean): void {
    const startTime = this.speeches.get(seq);
    if (startTime === undefined) return;
    this.speeches.delete(seq);
    this.addSpan('speech', { startTime, endTime, attributes: { 'turn.seq': seq, 'speech.whole': whole } });
  }
}
