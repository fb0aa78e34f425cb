import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { dialledForms, type Person } from '#src/common/personal-data.js';
import { callEventKeys } from './webhook.types.js';

/** The end of a conversation; see ChatWebhooksListener. */
export const conversationEventKey = (chatId: number): string => `conversation.ended:${chatId}`;

/** What deliveries are about, or their own ids. */
export interface DeliverySubjects {
  callIds?: readonly number[];
  chatIds?: readonly number[];
  deliveryIds?: readonly number[];
}

/** SQL condition, with `valuesOf`. */
const OF_SUBJECTS = '(event_key = ANY($1) OR id = ANY($2))';

/** Bodies that one statement reads. */
const BATCH = 1_000;
/** Only a body that has the number in quotes ($4) is read as JSON. */
const NAMES_PERSON = `CASE WHEN body LIKE ANY($4)
  THEN body::json ->> 'customer_phone' = ANY($5) OR body::json #>> '{lead,phone_number}' = ANY($5) END`;

/** Reads and erases deliveries with their bodies and with what receivers answered. */
@Injectable()
export class WebhooksPersonalDataService {
  constructor(private readonly db: DataSource) {}

  /** Ids of the account's deliveries whose customer or lead has the number, in batches: the lead may be deleted. */
  async *findNaming(person: Person): AsyncGenerator<number[]> {
    const numbers = dialledForms(person);
    const quoted = numbers.map((number) => `%"${number}"%`);
    let last: { id: number; createdAt: string } | undefined = { id: 0, createdAt: '-infinity' };
    while (last !== undefined) {
      const read: { id: number; createdAt: string; isNaming: boolean | null }[] = await this.db.query(
        `SELECT id, created_at::text AS "createdAt", ${NAMES_PERSON} AS "isNaming"
           FROM (SELECT id, created_at, body FROM webhook_deliveries
                  WHERE account_id = $1 AND (created_at, id) > ($2::timestamptz, $3::int)
                  ORDER BY created_at, id LIMIT ${BATCH}) AS batch
          ORDER BY created_at, id`,
        [person.accountId, last.createdAt, last.id, quoted, numbers],
      );
      const found = read.flatMap(({ id, isNaming }) => (isNaming === true ? [id] : []));
      if (found.length > 0) yield found;
      last = read.at(-1);
    }
  }

  /** No further attempt begins. @returns whether an attempt is running */
  async stop(subjects: DeliverySubjects): Promise<boolean> {
    const values = valuesOf(subjects);
    await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = 'erased'
        WHERE ${OF_SUBJECTS} AND state = 'pending'`,
      values,
    );
    const running: unknown[] = await this.db.query(
      `SELECT 1 FROM webhook_deliveries
        WHERE ${OF_SUBJECTS} AND claims > attempts AND due_at > now() AND delivered_at IS NULL LIMIT 1`,
      values,
    );
    return running.length > 0;
  }

  /** Also what calls show of the receivers' answers. @returns how many */
  async erase(tx: EntityManager, subjects: DeliverySubjects): Promise<number> {
    const [rows, count]: [{ call_id: number | null }[], number] = await tx.query(
      `DELETE FROM webhook_deliveries WHERE ${OF_SUBJECTS} RETURNING call_id`,
      valuesOf(subjects),
    );
    const callIds = rows.flatMap(({ call_id }) => call_id ?? []);
    if (callIds.length > 0) await tx.query('SELECT forget_webhook_bodies($1)', [callIds]);
    return count;
  }

  /** With their attempts. */
  read(subjects: DeliverySubjects): Promise<{ id: number }[]> {
    return this.db.query(
      `SELECT id, event, channel, call_id, url, body, state, created_at, delivered_at,
              coalesce((SELECT json_agg(json_build_object('number', number, 'url', attempt.url, 'status_code', status_code,
                  'response_body', response_body, 'error', error, 'created_at', attempt.created_at) ORDER BY number)
                FROM webhook_attempts attempt WHERE attempt.delivery_id = delivery.id), '[]') AS attempts
         FROM webhook_deliveries delivery WHERE ${OF_SUBJECTS} ORDER BY id`,
      valuesOf(subjects),
    );
  }
}

const valuesOf = ({ callIds = [], chatIds = [], deliveryIds = [] }: DeliverySubjects): unknown[] => [
  [...callIds.flatMap(callEventKeys), ...chatIds.map(conversationEventKey)],
  deliveryIds,
];
