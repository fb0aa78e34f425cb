import { Logger } from '@nestjs/common';
import { isContentionError, isDatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import type { ClaimedTranscript } from '../calls/wrap-up/transcript.repository.js';
import {
  RESUMABLE_END_REASONS,
  type ConversationRecorder,
  type RecordedToolCall,
  type RecordedTransfer,
  type RecordedTurn,
  type RecordedUsage,
  type AnswererStep,
} from './engine/conversation-recorder.js';
import type { ConversationResult } from './engine/conversation-settings.js';

/** Changes besides the transcript: the call's state, transfers and suppressions. */
export interface CallSideEffects {
  addSuppression(): Promise<void>;
  storeScreening(step: AnswererStep): Promise<void>;
  beginTransfer(transfer: RecordedTransfer): Promise<void>;
  /** Everything is stored. @param result null: another process may resume the conversation */
  concludeCall(result: ConversationResult | null): Promise<void>;
}

/** Stores a conversation while it takes place. Fails only while the database is unavailable. */
export class CallRecorder implements ConversationRecorder {
  private readonly logger = new Logger(CallRecorder.name);

  constructor(
    private readonly transcript: ClaimedTranscript,
    private readonly sideEffects: CallSideEffects,
  ) {}

  storeTurn({ timings, ...turn }: RecordedTurn): Promise<void> {
    const times = { ...timings } as Record<string, number>;
    return this.storeOnce(() => this.transcript.saveTurn({ ...turn, timings: times }));
  }

  truncateTurn(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    return this.storeOnce(() => this.transcript.truncateTurn(seq, heardText, interruptedAt));
  }

  markTurnPlayed(seq: number, playedAt: number): Promise<void> {
    return this.storeOnce(() => this.transcript.markPlayed(seq, playedAt));
  }

  storeToolCall({ seq, name, arguments: given, outcome, answer }: RecordedToolCall): Promise<void> {
    const { ok, durationMs, statusCode } = outcome;
    const run = { seq, toolName: name, arguments: given ?? {}, answer, ok, durationMs, statusCode };
    return this.storeOnce(() =>
      this.transcript.saveToolRun({ ...run, error: outcome.ok ? null : outcome.error }),
    );
  }

  storeTransfer(transfer: RecordedTransfer): Promise<void> {
    return this.storeOnce(() => this.sideEffects.beginTransfer(transfer));
  }

  storeUsage(usage: RecordedUsage): Promise<void> {
    return this.storeOnce(() => this.transcript.saveModelUsage(usage));
  }

  suppressNumber(): Promise<void> {
    return this.storeOnce(() => this.sideEffects.addSuppression());
  }

  storeScreening(step: AnswererStep): Promise<void> {
    return this.storeOnce(() => this.sideEffects.storeScreening(step));
  }

  async storeEnd(result: ConversationResult): Promise<void> {
    const isOpen = RESUMABLE_END_REASONS.includes(result.reason);
    await this.storeOnce(() => this.sideEffects.concludeCall(isOpen ? null : result));
  }

  flush(): void {
    this.transcript.flush();
  }

  /** A row rejected by the database is dropped: a retry would fail again and delay the rows after it. */
  private async storeOnce(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isDatabaseUnavailable(error) || isContentionError(error)) throw error;
      // The error's text is not logged: it may quote the turn.
      this.logger.error(`Not stored: ${error instanceof Error ? error.name : 'error'}`);
    }
  }
}
