import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import { toStorable } from '#src/common/persistence/storable.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { ChatChargesService } from './chat-charges.service.js';
import { MAX_MESSAGES, type FunctionCall } from './chat.types.js';
import { ChatTurn } from './entities/chat.entities.js';

/** Short, so that another process soon continues the work of a dead one; renewed during the work. */
const LEASE_SECONDS = 10;
export const CHAT_LEASE_RENEWAL_MS = 3_000;
/** Requests process their own messages: only abandoned ones are searched. */
const LEFT_BEHIND_SECONDS = 3;
/** The conversation so far, for the model. */
const MEMORY_TURNS = 40;
const MEMORY_CHARACTERS = 100_000;

/** The right to answer the messages of a chat, until another process has claimed it. */
export type ChatLease = Lease & { id: number };

/** A message that is to be answered. */
export type PendingMessage = Pick<
  ChatTurn,
  'chatId' | 'seq' | 'apiKeyId' | 'functionCalls' | 'tries' | 'costMicros'
> & {
  message: string;
};

export interface ChatTurnResult {
  /** Null: the assistant does not answer in this conversation. */
  text: string | null;
  calls: FunctionCall[];
  /** The assistant ended the conversation. */
  ends: boolean;
  /** It is not the model's: the message costs nothing. */
  isFree: boolean;
}

/** Messages that wait for an answer. Of the processes that work on a chat only the one with the latest claim writes. */
@Injectable()
export class ChatTurnsRepository {
  private readonly rows: LeasedRows<ChatLease>;

  constructor(
    private readonly db: DataSource,
    private readonly charges: ChatChargesService,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'chats',
      due: 'turn_due_at',
      waiting: 'turn_due_at IS NOT NULL',
      rowIs: `turn_due_at < now() - make_interval(secs => ${LEFT_BEHIND_SECONDS})`,
      seconds: LEASE_SECONDS,
      counter: 'turn_claims',
    });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Null: nothing waits, or another process answers. */
  async claim(chatId: number): Promise<ChatLease | null> {
    const [lease] = await this.rows.claim([chatId]);
    return lease ?? null;
  }

  renew(lease: ChatLease): Promise<void> {
    return this.rows.renew([lease]);
  }

  /** The oldest message without an answer; null: there is none, or the claim is not the latest any more. */
  async nextMessage({ id, claim }: ChatLease): Promise<PendingMessage | null> {
    const [[row]] = (await this.db.query(
      `UPDATE chat_turns turn SET tries = tries + 1 FROM chats chat
        WHERE chat.id = $1 AND chat.turn_claims = $2 AND chat.turn_due_at IS NOT NULL
          AND turn.chat_id = chat.id AND turn.seq = chat.answered_seq + 1
        RETURNING turn.chat_id AS "chatId", turn.seq, turn.message, turn.function_calls AS "functionCalls", turn.tries,
          turn.api_key_id AS "apiKeyId", turn.cost_micros AS cost`,
      [id, claim],
    )) as [(Omit<PendingMessage, 'costMicros'> & { cost: string })[], number];
    if (!row) return null;
    const { cost, ...turn } = row;
    return { ...turn, costMicros: BigInt(cost) };
  }

  /** The newest turns before this message, oldest first. */
  async findTurnsBefore({ chatId, seq }: Pick<PendingMessage, 'chatId' | 'seq'>): Promise<ChatTurn[]> {
    const turns = await this.db.manager
      .createQueryBuilder(ChatTurn, 'turn')
      .where('turn.chatId = :chatId AND turn.seq < :seq', { chatId, seq })
      .orderBy('turn.seq', 'DESC')
      .limit(MEMORY_TURNS)
      .getMany();
    let characters = 0;
    const kept = turns.filter((turn) => (characters += lengthOf(turn)) <= MEMORY_CHARACTERS);
    return kept.reverse();
  }

  /**
   * Called before and after a tool runs: another process must not run it again. @returns false: another process has
   * the lease.
   */
  async saveFunctionCalls({ id, claim }: ChatLease, seq: number, calls: FunctionCall[]): Promise<boolean> {
    const [, count] = (await this.db.query(
      `UPDATE chat_turns turn SET function_calls = $4 FROM chats chat
        WHERE chat.id = $1 AND chat.turn_claims = $2 AND turn.chat_id = chat.id AND turn.seq = $3`,
      [id, claim, seq, JSON.stringify(toStorable(calls))],
    )) as [unknown[], number];
    return count === 1;
  }

  /** @returns whether the lease continues: more messages wait. */
  saveResult({ id, claim }: ChatLease, turn: PendingMessage, answer: ChatTurnResult): Promise<boolean> {
    const reason = answer.ends ? 'goodbye' : turn.seq >= MAX_MESSAGES ? 'max_messages' : null;
    const refund = answer.isFree ? turn.costMicros : 0n;
    return this.db.transaction(async (tx) => {
      const [[row]] = (await tx.query(
        `UPDATE chats SET answered_seq = $3, message_count = message_count + $6, updated_at = now(),
                total_cost_micros = total_cost_micros - $5,
                turn_due_at = CASE WHEN asked_seq > $3 THEN turn_due_at END,
                state = CASE WHEN $4::text IS NULL OR asked_seq > $3 THEN state ELSE 'ended' END,
                ended_reason = CASE WHEN asked_seq > $3 THEN NULL ELSE $4::text END,
                ended_at = CASE WHEN $4::text IS NULL OR asked_seq > $3 THEN NULL ELSE now() END,
                end_due_at = CASE WHEN $4::text IS NULL OR asked_seq > $3
                  THEN now() + make_interval(mins => silence_minutes) ELSE now() END,
                end_claims = end_claims + 1
          WHERE id = $1 AND turn_claims = $2 AND answered_seq = $3 - 1
          RETURNING account_id, turn_due_at IS NOT NULL AS more`,
        [id, claim, turn.seq, reason, String(refund), answer.text === null ? 0 : 1],
      )) as [{ account_id: number; more: boolean }[], number];
      if (!row) return false;
      await tx.update(
        ChatTurn,
        { chatId: id, seq: turn.seq },
        {
          answer: answer.text,
          functionCalls: toStorable(answer.calls) as never,
          answeredAt: () => 'now()',
          costMicros: turn.costMicros - refund,
        },
      );
      await this.charges.refund(tx, { ...turn, accountId: row.account_id, costMicros: refund });
      return row.more;
    });
  }
}

const lengthOf = ({ message, answer, functionCalls }: ChatTurn): number =>
  (message?.length ?? 0) + (answer?.length ?? 0) + JSON.stringify(functionCalls).length;
