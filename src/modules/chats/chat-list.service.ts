import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { cursorsOf, pageSqlClauses, readCursor } from '#src/http/pagination/cursor.js';
import { Page } from '#src/http/pagination/page.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { UUID } from '#src/common/validation/uuid.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { ChatNotFound } from './chats.errors.js';
import type { ListChatsDto } from './dto/chat-input.dto.js';
import { toChatResponse, type ChatResponse } from './dto/chat.response.js';
import { Chat } from './entities/chat.entities.js';

/** An id that no row has. */
const NOBODY = 0;

/** Text conversations of a user, newest first. */
@Injectable()
export class ChatListService {
  constructor(
    private readonly db: DataSource,
    private readonly assistants: AssistantsService,
  ) {}

  /** @throws Invalid when the cursor is none of the service's */
  async pageOfChats(userId: number, query: ListChatsDto): Promise<Page<ChatResponse>> {
    const place = readCursor(query.cursor);
    const values: unknown[] = [];
    const parameterOf = (value: unknown): string => `$${values.push(value)}`;
    const where = await this.conditions(userId, query, parameterOf);
    const ofList = [...values];
    const { and, tail } = pageSqlClauses(query, place, parameterOf);
    const found = (await this.db.query(
      `SELECT id, created_at::text AS at FROM chats WHERE ${where} ${and} ${tail}`,
      values,
    )) as { id: number; at: string }[];
    const rows = found.map(({ id, at }) => ({ id, at: toIsoMicros(at) })).sort(byNewest);
    const counted = await this.count(where, ofList, rows[0] ?? null);
    const cursors = cursorsOf(rows, counted, place !== null);
    return new Page(await this.shown(rows.map(({ id }) => id)), counted.total, query, cursors);
  }

  /** @throws ChatNotFound */
  async getChat(userId: number, uuid: string): Promise<ChatResponse> {
    const chat = UUID.test(uuid) ? await this.db.manager.findOneBy(Chat, { uuid, accountId: userId }) : null;
    const [shown] = chat ? await this.shown([chat.id]) : [];
    if (!shown) throw new ChatNotFound();
    return shown;
  }

  private async conditions(
    userId: number,
    { type, assistant_id: key, external_identifier, customer_phone, whatsapp_sender_phone }: ListChatsDto,
    parameterOf: (value: unknown) => string,
  ): Promise<string> {
    const conditions = [`account_id = ${parameterOf(userId)}`];
    if (type !== undefined) conditions.push(`type = ${parameterOf(type)}`);
    if (external_identifier !== undefined) {
      conditions.push(`external_identifier = ${parameterOf(external_identifier)}`);
    }
    if (key !== undefined) {
      const id = typeof key === 'number' ? key : await this.assistants.findId(userId, key);
      conditions.push(`assistant_id = ${parameterOf(id ?? NOBODY)}`);
    }
    // No conversation has a number.
    if (customer_phone !== undefined || whatsapp_sender_phone !== undefined) conditions.push('false');
    return conditions.join(' AND ');
  }

  /** @param first of the page's rows; null: the page is empty. */
  private async count(
    where: string,
    values: unknown[],
    first: { id: number; at: string } | null,
  ): Promise<{ total: number; before: number }> {
    const [at, id] = [`$${values.length + 1}`, `$${values.length + 2}`];
    const [row] = (await this.db.query(
      `SELECT count(*)::int AS total,
              count(*) FILTER (WHERE (created_at, id) > (${at}::timestamptz, ${id}::int))::int AS before
         FROM chats WHERE ${where}`,
      [...values, first?.at ?? null, first?.id ?? null],
    )) as { total: number; before: number }[];
    return row ?? { total: 0, before: 0 };
  }

  private async shown(ids: number[]): Promise<ChatResponse[]> {
    const chats = await this.db.manager.findBy(Chat, { id: In(ids) });
    const uuids = await this.assistants.findUuids(chats.map(({ assistantId }) => assistantId));
    const byId = new Map(chats.map((chat) => [chat.id, chat]));
    return ids.flatMap((id) => {
      const chat = byId.get(id);
      return chat ? [toChatResponse(chat, uuids.get(chat.assistantId) ?? '')] : [];
    });
  }
}

/** The text of the moments is of one length. */
const byNewest = (one: ChatPosition, other: ChatPosition): number =>
  one.at === other.at ? other.id - one.id : one.at < other.at ? 1 : -1;

type ChatPosition = { id: number; at: string };
