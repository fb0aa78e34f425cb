import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';

/** The unit of concurrency: account and host. Accounts that use the same host have separate slots. */
export const receiverOf = (accountId: number, url: string): string => `${accountId} ${new URL(url).host}`;

export interface NewDelivery {
  /** Unique per channel: an event that is dispatched again finds its row. */
  eventKey: string;
  channel: WebhookChannel;
  event: WebhookEvent;
  accountId: number;
  assistantId: number;
  callId: number | null;
  test: boolean;
  url: string;
  payload: object;
}

const MAX_BATCH = 50;

export const newWebhookId = (): string => `msg_${randomUUID()}`;

/** Between bodies: JSON has no control characters. */
const SEPARATOR = '\x1e';

/**
 * The rows that are new. The bodies ($2) are apart from the rows ($1), because escaping kilobytes of JSON in JSON takes
 * as long as all else that a delivery's row needs.
 */
const WRITE = `WITH given AS (
   SELECT * FROM ROWS FROM (
     json_to_recordset($1::json) AS (event_key text, channel text, event text, webhook_id text, account_id int,
       assistant_id int, call_id int, test boolean, url text, receiver text),
     unnest(string_to_array($2, '${SEPARATOR}'))) AS given (event_key, channel, event, webhook_id, account_id,
       assistant_id, call_id, test, url, receiver, body)
    WHERE ${assumeFewRows('account_id')})
 INSERT INTO webhook_deliveries (event_key, channel, event, webhook_id, account_id, assistant_id, call_id, test, url,
   receiver, body)
 SELECT * FROM given ON CONFLICT (event_key, channel) DO NOTHING RETURNING id, event_key, channel`;

/** Those that were there before. After `WRITE`: one of another process may be committed while it runs. */
const FIND = `SELECT id, event_key, channel
  FROM webhook_deliveries JOIN unnest($1::text[], $2::text[]) AS given (event_key, channel) USING (event_key, channel)`;

interface Written {
  id: number;
  event_key: string;
  channel: string;
}

/** Creates deliveries; the payload is serialized once, here. */
@Injectable()
export class NewDeliveriesService {
  private readonly batches = new BatchLoader<NewDelivery, number>((given) => this.writeAll(given), MAX_BATCH);

  private readonly unanswered = new BatchLoader<number, boolean>((ids) => this.whichAreTold(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
  ) {}

  /** Has the row sent, also when it exists already: the process that wrote it may have died before this step. */
  async addDelivery(delivery: NewDelivery): Promise<void> {
    const id = await this.writeDelivery(delivery);
    this.queue.enqueue('webhook-delivery', { id, accountId: delivery.accountId });
  }

  /** Whether the assistant of an unanswered call has it reported: most do not, and the call need not be read. */
  isUnansweredTold(callId: number): Promise<boolean> {
    return this.unanswered.load(callId);
  }

  /** Writes the row for a caller that sends it. @returns the id of the new or existing row. */
  writeDelivery(delivery: NewDelivery): Promise<number> {
    return this.batches.load(delivery);
  }

  private async whichAreTold(callIds: number[]): Promise<boolean[]> {
    const rows: { id: number }[] = await this.db.query(
      `SELECT call_id AS id FROM call_results JOIN assistant_webhooks USING (assistant_id)
        WHERE call_id = ANY($1) AND NOT send_webhook_only_on_completed`,
      [callIds],
    );
    const told = new Set(rows.map(({ id }) => id));
    return callIds.map((id) => told.has(id));
  }

  private async writeAll(given: NewDelivery[]): Promise<number[]> {
    const rows = given.map(toColumns);
    const bodies = given.map(({ payload }) => JSON.stringify(payload));
    const written: Written[] = await this.db.query(WRITE, [JSON.stringify(rows), bodies.join(SEPARATOR)]);
    const ids = new Map(written.map((row) => [keyOf(row), row.id]));
    const others = await this.find(rows.filter((row) => !ids.has(keyOf(row))));
    for (const row of others) ids.set(keyOf(row), row.id);
    return rows.map((row) => {
      const id = ids.get(keyOf(row));
      if (id === undefined) throw new Error(`the delivery of ${row.event_key} was neither written nor found`);
      return id;
    });
  }

  private async find(rows: readonly Key[]): Promise<Written[]> {
    if (rows.length === 0) return [];
    return this.db.query(FIND, [rows.map(({ event_key }) => event_key), rows.map(({ channel }) => channel)]);
  }
}

type Key = Pick<Written, 'event_key' | 'channel'>;
const keyOf = ({ event_key, channel }: Key): string => `${event_key} ${channel}`;

/** Without the body, see `WRITE`. */
const toColumns = (delivery: NewDelivery) => ({
  event_key: delivery.eventKey,
  channel: delivery.channel,
  event: delivery.event,
  webhook_id: newWebhookId(),
  account_id: delivery.accountId,
  assistant_id: delivery.assistantId,
  call_id: delivery.callId,
  test: delivery.test,
  url: delivery.url,
  receiver: receiverOf(delivery.accountId, delivery.url),
});
