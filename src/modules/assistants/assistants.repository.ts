import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { offsetOf, type PageRequest } from '#src/common/pagination/page.js';
import { PreparedQuery } from '#src/common/persistence/prepared-query.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import type { AssistantType } from './assistant.types.js';
import { Assistant } from './entities/assistant.entity.js';

const LIVE = 'account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)';
const ORDER = 'ORDER BY created_at DESC, id DESC';
const NEWEST_FIRST = `WHERE ${LIVE} ${ORDER}`;

/** Lists of a user's assistants, newest first. */
@Injectable()
export class AssistantsRepository {
  private readonly selectAllIds: PreparedQuery<{ id: number }>;
  private readonly selectPageIds: PreparedQuery<{ id: number }>;
  private readonly selectByIds: (values: unknown[]) => Promise<Assistant[]>;
  private readonly selectCount: PreparedQuery<{ count: number }>;

  constructor(db: DataSource) {
    const select = new PreparedSelect(db, Assistant, 'a');
    const ids = `SELECT id FROM assistants ${NEWEST_FIRST}`;
    this.selectAllIds = new PreparedQuery(db, ids);
    this.selectPageIds = new PreparedQuery(db, `${ids} LIMIT $3 OFFSET $4`);
    this.selectByIds = select.prepare(
      `WHERE account_id = $1 AND deleted_at IS NULL AND id = ANY($2) ${ORDER}`,
    );
    this.selectCount = new PreparedQuery(db, `SELECT count(*)::int AS count FROM assistants WHERE ${LIVE}`);
  }

  async ids(userId: number, type: AssistantType | null): Promise<number[]> {
    return (await this.selectAllIds.run([userId, type])).map(({ id }) => id);
  }

  async pageIds(userId: number, type: AssistantType | null, request: PageRequest): Promise<number[]> {
    const rows = await this.selectPageIds.run([userId, type, request.per_page, offsetOf(request)]);
    return rows.map(({ id }) => id);
  }

  /** Those that are not deleted. */
  byIds(userId: number, ids: number[]): Promise<Assistant[]> {
    return this.selectByIds([userId, ids]);
  }

  async countAssistants(userId: number, type: AssistantType | null): Promise<number> {
    const [row] = await this.selectCount.run([userId, type]);
    return row?.count ?? 0;
  }
}
