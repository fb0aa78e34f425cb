import { Logger } from '@nestjs/common';
import { isContention, isDatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import type { ClaimedTranscript } from '../calls/wrap-up/transcript.repository.js';
import {
  OPEN_ENDS,
  type ConversationRecorder,
  type RecordedToolCall,
  type RecordedTransfer,
  type RecordedTurn,
  type RecordedUsage,
  type AnsweringStep,
} from './engine/conversation-recorder.js';
import type { ConversationResult } from './engine/conversation-settings.js';

/** What a conversation's end and its customer's wishes change beside the transcript. */
export interface CallConsequences {
  suppress(): Promise<void>;
  screening(step: AnsweringStep): Promise<void>;
  transfer(transfer: RecordedTransfer): Promise<void>;
  /** Nothing follows, unless another process takes the call over. @param result null: it may, the call is not over */
  conclude(result: ConversationResult | null): Promise<void>;
}

/** Stores a conversation while it takes place. Fails only while the database is away. */
export class CallRecorder implements ConversationRecorder {
  private readonly logger = new Logger(CallRecorder.name);

  constructor(
    private readonly transcript: ClaimedTranscript,
    private readonly consequences: CallConsequences,
  ) {}

  turn({ seq, role, text, timings, interrupted }: RecordedTurn): Promise<void> {
    const turn = { seq, role, text, interrupted, timings: { ...timings } as Record<string, number> };
    return this.store(() => this.transcript.saveTurn(turn));
  }

  turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    return this.store(() => this.transcript.cutTurn(seq, heardText, interruptedAt));
  }

  turnPlayed(seq: number, playedAt: number): Promise<void> {
    return this.store(() => this.transcript.markPlayed(seq, playedAt));
  }

  toolCall({ seq, name, arguments: given, outcome, answer }: RecordedToolCall): Promise<void> {
    const { ok, durationMs, statusCode } = outcome;
    const run = { seq, toolName: name, arguments: given ?? {}, answer, ok, durationMs, statusCode };
    return this.store(() =>
      this.transcript.saveToolRun({ ...run, error: outcome.ok ? null : outcome.error }),
    );
  }

  transfer(transfer: RecordedTransfer): Promise<void> {
    return this.store(() => this.consequences.transfer(transfer));
  }

  modelUsed(usage: RecordedUsage): Promise<void> {
    return this.store(() => this.transcript.saveModelUsage(usage));
  }

  stopCalling(): Promise<void> {
    return this.store(() => this.consequences.suppress());
  }

  screening(step: AnsweringStep): Promise<void> {
    return this.store(() => this.consequences.screening(step));
  }

  async ended(result: ConversationResult): Promise<void> {
    const isOpen = OPEN_ENDS.includes(result.reason);
    await this.store(() => this.consequences.conclude(isOpen ? null : result));
  }

  hurry(): void {
    this.transcript.flush();
  }

  /** A row that the database refuses would be refused again: the next ones are stored without it. */
  private async store(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isDatabaseUnavailable(error) || isContention(error)) throw error;
      // The error's text is not logged: it may quote the turn.
      this.logger.error(`Not stored: ${error instanceof Error ? error.name : 'error'}`);
    }
  }
}
