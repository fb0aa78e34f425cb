import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EVENTS_CHANNEL } from './domain-events.service.js';

export interface DeadEvent {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** Why its last hand-over failed. */
  lastError: string | null;
  createdAt: Date;
}

/** Events that failed repeatedly and wait for an operator. */
@Injectable()
export class DeadLettersService {
  constructor(private readonly db: DataSource) {}

  listDeadLetters(): Promise<DeadEvent[]> {
    return this.db.query(
      `SELECT id, kind, payload, last_error AS "lastError", created_at AS "createdAt"
         FROM domain_events WHERE state = 'dead' ORDER BY id`,
    );
  }

  /** Hands all of them over again, with all their attempts before them. @returns how many. */
  async replayDeadLetters(): Promise<number> {
    const [, count]: [unknown[], number] = await this.db.query(
      `UPDATE domain_events SET state = 'pending', attempts = 0, due_at = now() WHERE state = 'dead'`,
    );
    await this.db.query(`SELECT pg_notify('${EVENTS_CHANNEL}', '')`);
    return count;
  }
}
