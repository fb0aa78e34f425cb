import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * Calls of visitors, for the limits of their open lines and costs. Callers that add a call hold the account's lock.
 */
@Injectable()
export class VisitorCallsService {
  /** Open calls of a visitor with assistants of the account, with and without a line. */
  async countCalls(tx: EntityManager, accountId: number, visitor: string): Promise<number> {
    return count(
      await tx.query(
        'SELECT count(*)::int AS n FROM calls WHERE account_id = $1 AND ended_at IS NULL AND visitor = $2',
        [accountId, visitor],
      ),
    );
  }

  /** Lines of visitors that are open, of all assistants of the account. */
  async countOpenLines(tx: EntityManager, accountId: number): Promise<number> {
    return count(
      await tx.query(
        `SELECT count(*)::int AS n FROM calls
          WHERE account_id = $1 AND ended_at IS NULL AND visitor IS NOT NULL AND status <> 'initiated'`,
        [accountId],
      ),
    );
  }

  /** Costs of the assistant's visitors since midnight (UTC); running calls count with their holds. */
  async sumSpentToday(tx: EntityManager, assistantId: number): Promise<bigint> {
    const [row]: { micros: string }[] = await tx.query(
      `SELECT (SELECT coalesce(sum(micros), 0) FROM visitor_call_costs WHERE assistant_id = $1 AND created_at >= today.begun)
            + (SELECT coalesce(sum(micros), 0) FROM visitor_chat_costs WHERE assistant_id = $1 AND created_at >= today.begun)
              AS micros
         FROM (SELECT date_trunc('day', now(), 'UTC') AS begun) today`,
      [assistantId],
    );
    return BigInt(row?.micros ?? 0);
  }
}

const count = ([row]: { n: number }[]): number => row?.n ?? 0;
