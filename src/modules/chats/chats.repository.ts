import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { IdempotencyKeyReused } from '#src/http/idempotency/idempotency.service.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { ChatChargesService } from './chat-charges.service.js';
import {
  knownTurn,
  MAX_WAITING,
  turnsBefore,
  type EarlierTurn,
  type StoredMessage,
} from './chat-messages.js';
import { ChatHasEnded, TestLimitReached } from './chats.errors.js';
import type { EvaluationPlan } from '../calls/call.view.js';
import { MAX_MESSAGES, type ChatState, type ChatType } from './chat.types.js';
import { Chat, ChatTurn } from './entities/chat.entities.js';

export interface NewChat {
  accountId: number;
  assistantId: number;
  assistantName: string;
  type: ChatType;
  variables: Record<string, unknown>;
  /** See `Chat`. */
  byVisitor: boolean;
  visitorVariables: readonly string[];
  /** Of one customer an assistant has one active chat; null: the client does not name the customer. */
  externalIdentifier: string | null;
  /** Null: the customer writes first. */
  greeting: string | null;
  /** Of a message. */
  priceMicros: bigint;
  evaluationPlan: EvaluationPlan | null;
  /** Without a message for so long it ends. */
  silenceMinutes: number;
  request: KeyedChatRequest | null;
  /** How many test conversations the account may begin in 24 hours; null: it is none. */
  maxTestsPerDay: number | null;
}

/** A request with an `Idempotency-Key`. */
export interface KeyedChatRequest {
  key: string;
  /** Requests with the same hash are equal. */
  hash: string;
}

interface LockedChatRow {
  state: ChatState;
  asked_seq: number;
  answered_seq: number;
  price_micros: string;
  ai_enabled: boolean;
}

const RETRY_SECONDS = 5;
/** How long a key names one request. */
const KEY_HOURS = 24;
const DAY_SECONDS = 86_400;

/** Text conversations and their messages. */
@Injectable()
export class ChatsRepository {
  constructor(
    private readonly db: DataSource,
    private readonly charges: ChatChargesService,
  ) {}

  findByUuid(uuid: string): Promise<Chat | null> {
    return this.db.manager.findOneBy(Chat, { uuid });
  }

  findById(id: number): Promise<Chat | null> {
    return this.db.manager.findOneBy(Chat, { id });
  }

  /** The greeting first. */
  listTurns(chatId: number): Promise<ChatTurn[]> {
    return this.db.manager.find(ChatTurn, { where: { chatId }, order: { seq: 'ASC' } });
  }

  findTurn(chatId: number, seq: number): Promise<ChatTurn | null> {
    return this.db.manager.findOneBy(ChatTurn, { chatId, seq });
  }

  /** The active chat with the customer; null: there is none. */
  findActive(assistantId: number, externalIdentifier: string): Promise<Chat | null> {
    return this.db.manager.findOneBy(Chat, { assistantId, externalIdentifier, state: 'active' });
  }

  /** The message that the request with this key wrote to a chat with the customer; null: it wrote none. */
  async findMessageOfRequest(
    {
      accountId,
      assistantId,
      externalIdentifier,
    }: Pick<NewChat, 'accountId' | 'assistantId' | 'externalIdentifier'>,
    key: string,
  ): Promise<{ chat: Chat; seq: number } | null> {
    const [row] = (await this.db.query(
      `SELECT chat_id, seq FROM chat_turns JOIN chats ON chats.id = chat_id
        WHERE account_id = $1 AND external_identifier = $2 AND assistant_id = $3 AND chat_turns.request_key = $4`,
      [accountId, externalIdentifier, assistantId, key],
    )) as { chat_id: number; seq: number }[];
    const chat = row && (await this.findById(row.chat_id));
    return chat ? { chat, seq: row.seq } : null;
  }

  /**
   * A request with a known key, or for a customer with an active chat, finds that chat.
   * @throws IdempotencyKeyReused, TestLimitReached
   */
  async beginChat(chat: NewChat): Promise<{ chat: Chat; isRepeated: boolean }> {
    const { maxTestsPerDay } = chat;
    const inserted =
      maxTestsPerDay === null
        ? await this.insertChat(this.db.manager, chat)
        : await this.db.transaction((tx) => this.insertTest(tx, chat, maxTestsPerDay));
    const uuid = inserted ?? (await this.begunBy(this.db.manager, chat));
    const begun = uuid === null ? null : await this.findByUuid(uuid);
    // The key was a day old: it is free now. Or the active chat has just ended.
    return begun ? { chat: begun, isRepeated: inserted === null } : this.beginChat(chat);
  }

  /**
   * Takes a message in and its price from the balance; messages of one chat one by one, in the order of their commits.
   * A repeated request finds its message: by the key, without one by the words while nobody received the answer.
   * @param toStored the message as it is stored after these turns
   * @param key hash of the `Idempotency-Key`
   * @throws ChatHasEnded, ChatBalanceTooLow, SpendLimitExceeded, IdempotencyKeyReused, TooManyRequests
   */
  storeMessage(
    chat: Pick<Chat, 'id' | 'accountId'>,
    toStored: (before: readonly EarlierTurn[]) => string,
    key: string | null,
    sender: Pick<ChatTurn, 'apiKeyId' | 'visitorAssistantId'>,
  ): Promise<StoredMessage> {
    return this.db.transaction(async (tx) => {
      const [row] = (await tx.query(
        'SELECT state, asked_seq, answered_seq, price_micros, ai_enabled FROM chats WHERE id = $1 FOR UPDATE',
        [chat.id],
      )) as LockedChatRow[];
      if (!row) throw new ChatHasEnded();
      const known = await knownTurn(tx, chat.id, row.asked_seq, { toStored, key });
      if (known) return known;
      if (row.state !== 'active' || row.asked_seq >= MAX_MESSAGES) throw new ChatHasEnded();
      if (row.asked_seq - row.answered_seq >= MAX_WAITING) throw new TooManyRequests(RETRY_SECONDS);
      const costMicros = row.ai_enabled ? BigInt(row.price_micros) : 0n;
      const turn = { chatId: chat.id, seq: row.asked_seq + 1, costMicros, ...sender };
      const message = toStored(await turnsBefore(tx, turn));
      await tx.query(
        `WITH turn AS (
           INSERT INTO chat_turns (chat_id, seq, message, request_key, cost_micros, api_key_id, visitor_assistant_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7))
         UPDATE chats SET asked_seq = $2, message_count = message_count + 1, turn_due_at = COALESCE(turn_due_at, now()),
                total_cost_micros = total_cost_micros + $5, updated_at = now(),
                end_due_at = now() + make_interval(mins => silence_minutes), end_claims = end_claims + 1
          WHERE id = $1`,
        [chat.id, turn.seq, message, key, String(costMicros), turn.apiKeyId, turn.visitorAssistantId],
      );
      await this.charges.charge(tx, { accountId: chat.accountId, ...turn });
      return { seq: turn.seq, isRepeated: false };
    });
  }

  /**
   * Lays variables over those of an active chat.
   * @returns false: together they are larger than `maxKilobytes` as JSON
   * @throws ChatHasEnded
   */
  async mergeVariables(
    id: number,
    variables: Record<string, unknown>,
    maxKilobytes: number,
  ): Promise<boolean> {
    const [, count] = (await this.db.query(
      `UPDATE chats SET variables = variables || $2, updated_at = now()
        WHERE id = $1 AND state = 'active' AND octet_length((variables || $2)::text) <= $3::int * 1024`,
      [id, variables, maxKilobytes],
    )) as [unknown[], number];
    if (count === 0 && !(await this.db.manager.existsBy(Chat, { id, state: 'active' })))
      throw new ChatHasEnded();
    return count === 1;
  }

  /** @returns false: the account has no such chat */
  async switchAi(accountId: number, uuid: string, aiEnabled: boolean): Promise<boolean> {
    const { affected } = await this.db.manager.update(Chat, { accountId, uuid }, { aiEnabled });
    return affected === 1;
  }

  /** @returns false: it is over, or a message waits for its answer */
  async endByUser({ id }: Pick<Chat, 'id'>): Promise<boolean> {
    const [, count] = (await this.db.query(
      `UPDATE chats SET state = 'ended', ended_reason = 'ended_by_user', ended_at = now(), end_due_at = now(),
              end_claims = end_claims + 1
        WHERE id = $1 AND state = 'active' AND asked_seq = answered_seq`,
      [id],
    )) as [unknown[], number];
    return count === 1;
  }

  /** The client got the whole answer. */
  async markDelivered({ chatId, seq }: Pick<ChatTurn, 'chatId' | 'seq'>): Promise<void> {
    await this.db.query(
      'UPDATE chat_turns SET delivered_at = now() WHERE chat_id = $1 AND seq = $2 AND delivered_at IS NULL',
      [chatId, seq],
    );
  }

  /** Counted under the account's lock. @returns as `insertChat` */
  private async insertTest(tx: EntityManager, chat: NewChat, max: number): Promise<string | null> {
    await lockAccount(tx, chat.accountId);
    if ((await this.begunBy(tx, chat)) !== null) return null;
    const [row]: { count: number; left: number }[] = await tx.query(
      `SELECT count(*)::int AS count, extract(epoch FROM min(created_at) + interval '24 hours' - now())::int AS left
         FROM (SELECT created_at FROM chats
                WHERE account_id = $1 AND type = 'test' AND created_at > now() - interval '24 hours'
                ORDER BY created_at DESC LIMIT $2) AS counted`,
      [chat.accountId, max],
    );
    if (row && row.count >= max) throw new TestLimitReached(max, Math.max(1, row.left ?? DAY_SECONDS));
    return this.insertChat(tx, chat);
  }

  /** @returns null: the key is known, or the customer has an active chat. */
  private async insertChat(
    tx: EntityManager,
    { greeting, request, ...chat }: NewChat,
  ): Promise<string | null> {
    const [row] = (await tx.query(
      `WITH chat AS (
         INSERT INTO chats (account_id, assistant_id, assistant_name, type, variables, request_key, request_hash,
           price_micros, evaluation_plan, by_visitor, visitor_variables, message_count, external_identifier,
           silence_minutes, end_due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, CASE WHEN $10::text IS NULL THEN 0 ELSE 1 END, $13,
           $14::int, now() + make_interval(mins => $14::int))
         ON CONFLICT DO NOTHING RETURNING id, uuid),
       greeting AS (
         INSERT INTO chat_turns (chat_id, seq, answer, answered_at)
         SELECT id, 0, $10::text, now() FROM chat WHERE $10::text IS NOT NULL)
       SELECT uuid FROM chat`,
      [
        chat.accountId,
        chat.assistantId,
        chat.assistantName,
        chat.type,
        chat.variables,
        request?.key ?? null,
        request?.hash ?? null,
        String(chat.priceMicros),
        chat.evaluationPlan,
        greeting,
        chat.byVisitor,
        chat.visitorVariables,
        chat.externalIdentifier,
        chat.silenceMinutes,
      ],
    )) as { uuid: string }[];
    return row?.uuid ?? null;
  }

  private async begunBy(
    tx: EntityManager,
    { assistantId, externalIdentifier, request }: NewChat,
  ): Promise<string | null> {
    if (externalIdentifier !== null)
      return (await this.findActive(assistantId, externalIdentifier))?.uuid ?? null;
    if (!request) return null;
    const [row] = (await tx.query(
      `SELECT uuid, request_hash, created_at < now() - make_interval(hours => ${KEY_HOURS}) AS outdated
         FROM chats WHERE assistant_id = $1 AND request_key = $2`,
      [assistantId, request.key],
    )) as { uuid: string; request_hash: string; outdated: boolean }[];
    if (row?.outdated) await tx.update(Chat, { uuid: row.uuid }, { requestKey: null });
    else if (row && row.request_hash !== request.hash) throw new IdempotencyKeyReused();
    return row && !row.outdated ? row.uuid : null;
  }
}
