import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { ChatEnded } from './chat-events.js';
import { Chat } from './entities/chat.entities.js';

/** Longer than an evaluation may take. */
const LEASE_SECONDS = 60;

export interface ChatEvaluation {
  evaluation: Record<string, unknown>;
  error: string | null;
}

/** Chats whose silence is long enough, or whose end is to be worked on. */
@Injectable()
export class ChatEndsRepository {
  private readonly rows: LeasedRows<Lease & { id: number }>;

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'chats',
      due: 'end_due_at',
      waiting: 'end_due_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      counter: 'end_claims',
    });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Null: not due, leased elsewhere, or done. */
  async claim(id: number): Promise<Chat | null> {
    const [lease] = await this.rows.claim([id]);
    return lease ? this.db.manager.findOneBy(Chat, { id, endClaims: lease.claim }) : null;
  }

  /** Null: a message was received meanwhile, or waits for its response. */
  async endForSilence({ id, endClaims }: Chat): Promise<Chat | null> {
    const [, count] = (await this.db.query(
      `UPDATE chats SET state = 'ended', ended_reason = 'silence', ended_at = now()
        WHERE id = $1 AND end_claims = $2 AND state = 'active' AND asked_seq = answered_seq`,
      [id, endClaims],
    )) as [unknown[], number];
    return count === 1 ? this.db.manager.findOneBy(Chat, { id }) : null;
  }

  async postpone({ id, endClaims }: Chat, seconds: number): Promise<void> {
    await this.rows.release({ id, claim: endClaims }, seconds);
  }

  async countEvaluationAttempt({ id }: Chat): Promise<void> {
    await this.db.query('UPDATE chats SET evaluation_attempts = evaluation_attempts + 1 WHERE id = $1', [id]);
  }

  /** The record is final. Chats in which the customer wrote nothing are no event. */
  async finish(chat: Chat, { evaluation, error }: ChatEvaluation): Promise<void> {
    const { id, endClaims, accountId } = chat;
    await this.db.transaction(async (tx) => {
      const { affected } = await tx.update(
        Chat,
        { id, endClaims },
        { evaluation: evaluation as never, evaluationError: error, endDueAt: null },
      );
      if (affected !== 1 || chat.askedSeq === 0) return;
      await this.events.publish(tx, ChatEnded, { chatId: id, accountId });
    });
  }
}
