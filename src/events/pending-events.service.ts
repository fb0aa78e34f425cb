import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** What is left of events in their table. */
@Injectable()
export class PendingEventsService {
  constructor(private readonly db: DataSource) {}

  /** Whether a listener may still work on an event of one of these. @param property of payloads, with the id */
  async isPending(
    accountId: number,
    property: 'callId' | 'chatId',
    ids: readonly number[],
  ): Promise<boolean> {
    const rows: unknown[] = await this.db.query(
      `SELECT 1 FROM domain_events
        WHERE account_id = $1 AND state = 'pending' AND payload ->> $2::text = ANY($3) LIMIT 1`,
      [accountId, property, ids.map(String)],
    );
    return rows.length > 0;
  }

  /**
   * Of events that failed: their errors may quote what they were about.
   * @param pattern a regular expression of PostgreSQL
   * @returns how many
   */
  async eraseErrors(tx: EntityManager, accountId: number, pattern: string): Promise<number> {
    const [, count] = (await tx.query(
      'UPDATE domain_events SET last_error = NULL WHERE account_id = $1 AND last_error ~ $2',
      [accountId, pattern],
    )) as [unknown[], number];
    return count;
  }
}
