import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { offsetOf, type PageRequest } from '#src/common/pagination/page.js';
import { PreparedQuery } from '#src/common/persistence/prepared-query.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import type { AssistantType } from './assistant.types.js';
import { Assistant } from './entities/assistant.entity.js';

const LIVE = 'account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)';
const NEWEST_FIRST = `WHERE ${LIVE} ORDER BY created_at DESC, id DESC`;

/** Lists of a user's assistants, newest first. */
@Injectable()
export class AssistantsRepository {
  private readonly selectAll: (values: unknown[]) => Promise<Assistant[]>;
  private readonly selectPage: (values: unknown[]) => Promise<Assistant[]>;
  private readonly selectCount: PreparedQuery<{ count: number }>;

  constructor(db: DataSource) {
    const select = new PreparedSelect(db, Assistant, 'a');
    this.selectAll = select.prepare(NEWEST_FIRST);
    this.selectPage = select.prepare(`${NEWEST_FIRST} LIMIT $3 OFFSET $4`);
    this.selectCount = new PreparedQuery(db, `SELECT count(*)::int AS count FROM assistants WHERE ${LIVE}`);
  }

  findAllOf(userId: number, type: AssistantType | null): Promise<Assistant[]> {
    return this.selectAll([userId, type]);
  }

  findPage(userId: number, type: AssistantType | null, request: PageRequest): Promise<Assistant[]> {
    return this.selectPage([userId, type, request.per_page, offsetOf(request)]);
  }

  async countAssistants(userId: number, type: AssistantType | null): Promise<number> {
    const [row] = await this.selectCount.run([userId, type]);
    return row?.count ?? 0;
  }
}
