import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { offsetOf, type PageRequest } from '#src/common/pagination/page.js';
import { RowSelect } from '#src/common/persistence/row-select.js';
import type { AssistantType } from './assistant.types.js';
import { Assistant } from './entities/assistant.entity.js';

const LIVE = 'account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)';
const NEWEST_FIRST = `WHERE ${LIVE} ORDER BY created_at DESC, id DESC`;

/** Lists of a user's assistants, newest first. */
@Injectable()
export class AssistantLists {
  private readonly select: RowSelect<Assistant>;

  constructor(private readonly db: DataSource) {
    this.select = new RowSelect(db, Assistant, 'a');
  }

  all(userId: number, type: AssistantType | null): Promise<Assistant[]> {
    return this.select.run(NEWEST_FIRST, [userId, type]);
  }

  page(userId: number, type: AssistantType | null, request: PageRequest): Promise<Assistant[]> {
    return this.select.run(`${NEWEST_FIRST} LIMIT $3 OFFSET $4`, [
      userId,
      type,
      request.per_page,
      offsetOf(request),
    ]);
  }

  async count(userId: number, type: AssistantType | null): Promise<number> {
    const [row]: { count: number }[] = await this.db.query(
      `SELECT count(*)::int AS count FROM assistants WHERE ${LIVE}`,
      [userId, type],
    );
    return row?.count ?? 0;
  }
}
