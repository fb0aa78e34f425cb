import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchLoader, fewRows } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';
import { LEASE_SECONDS, SECRETS, type ClaimedDelivery } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';

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
       assistant_id int, call_id int, test boolean, url text, receiver text, claimed boolean),
     unnest(string_to_array($2, '${SEPARATOR}'))) AS given (event_key, channel, event, webhook_id, account_id,
       assistant_id, call_id, test, url, receiver, claimed, body)
    WHERE ${fewRows('account_id')})
 INSERT INTO webhook_deliveries AS waiter (event_key, channel, event, webhook_id, account_id, assistant_id, call_id,
   test, url, receiver, body, claims, due_at)
 SELECT event_key, channel, event, webhook_id, account_id, assistant_id, call_id, test, url, receiver, body,
        claimed::int, now() + make_interval(secs => CASE WHEN claimed THEN ${LEASE_SECONDS} ELSE 0 END)
   FROM given ON CONFLICT (event_key, channel) DO NOTHING
 RETURNING id, event_key, channel, claims = 1 AS claimed, CASE WHEN claims = 1 THEN ${SECRETS} END AS secrets`;

/** Those that were there before. After `WRITE`: one of another process may be committed while it runs. */
const FIND = `SELECT id, event_key, channel, false AS claimed, NULL AS secrets
  FROM webhook_deliveries JOIN unnest($1::text[], $2::text[]) AS given (event_key, channel) USING (event_key, channel)`;

interface Written {
  id: number;
  event_key: string;
  channel: string;
  /** By this statement. */
  claimed: boolean;
  secrets: string[] | null;
}

interface Order {
  delivery: NewDelivery;
  /** Sent by the queue; else by who has it written. */
  isQueued: boolean;
}

/** Creates deliveries; the payload is serialized once, here. */
@Injectable()
export class NewDeliveriesService {
  private readonly batches = new BatchLoader<Order, number>((orders) => this.writeAll(orders), MAX_BATCH);

  private readonly unanswered = new BatchLoader<number, boolean>((ids) => this.whichAreTold(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly claims: DeliveryClaimsService,
  ) {}

  /** Has the row sent, also when it exists already: the process that wrote it may have died before this step. */
  addDelivery(delivery: NewDelivery): Promise<number> {
    return this.batches.load({ delivery, isQueued: true });
  }

  /** Whether the assistant of an unanswered call has it reported: most do not, and the call need not be read. */
  isUnansweredTold(callId: number): Promise<boolean> {
    return this.unanswered.load(callId);
  }

  /** Writes the row for a caller that sends it. @returns the id of the new or existing row. */
  writeDelivery(delivery: NewDelivery): Promise<number> {
    return this.batches.load({ delivery, isQueued: false });
  }

  private async whichAreTold(callIds: number[]): Promise<boolean[]> {
    const rows: { id: number }[] = await this.db.query(
      `SELECT call.id FROM calls call JOIN assistants assistant ON assistant.id = call.assistant_id
        WHERE call.id = ANY($1) AND NOT send_webhook_only_on_completed`,
      [callIds],
    );
    const told = new Set(rows.map(({ id }) => id));
    return callIds.map((id) => told.has(id));
  }

  private async writeAll(orders: Order[]): Promise<number[]> {
    const rows = orders.map((order) => this.prepare(order));
    const leasedUntil = performance.now() + LEASE_SECONDS * 1000;
    const written = new Map<string, Written>();
    try {
      const added: Written[] = await this.db.query(WRITE, [
        JSON.stringify(rows.map(({ columns }) => columns)),
        rows.map(({ body }) => body).join(SEPARATOR),
      ]);
      for (const one of added) written.set(keyOf(one), one);
      for (const one of await this.find(rows.filter(({ key }) => !written.has(key))))
        written.set(keyOf(one), one);
    } catch (error) {
      for (const { columns } of rows) if (columns.claimed) this.claims.release(partyOf(columns), null);
      throw error;
    }
    return rows.map((row) => {
      const { key, columns, isQueued } = row;
      const one = written.get(key);
      if (!one) throw new Error(`the delivery of ${columns.event_key} was neither written nor found`);
      if (columns.claimed && one.claimed) {
        this.claims.hold(toClaimed(row, one, leasedUntil));
        // An event may be told twice at the same time: the row is held once.
        one.claimed = false;
      } else {
        if (columns.claimed) this.claims.release(partyOf(columns), null);
        if (isQueued) this.queue.enqueue('webhook-delivery', { id: one.id, accountId: columns.account_id });
      }
      return one.id;
    });
  }

  /** Takes a slot for a row that is sent by the queue, where one is free. */
  private prepare({ delivery, isQueued }: Order): Row {
    const columns = toColumns(delivery);
    columns.claimed = isQueued && this.claims.reserve(partyOf(columns));
    return { key: keyOf(columns), columns, body: JSON.stringify(delivery.payload), isQueued };
  }

  private async find(rows: readonly Row[]): Promise<Written[]> {
    if (rows.length === 0) return [];
    const given = rows.map(({ columns }) => columns);
    return this.db.query(FIND, [
      given.map(({ event_key }) => event_key),
      given.map(({ channel }) => channel),
    ]);
  }
}

/** A row to be written. */
interface Row {
  key: string;
  columns: Columns;
  body: string;
  isQueued: boolean;
}

/** Without the body, see `WRITE`. `claimed`: by this process. */
type Columns = ReturnType<typeof toColumns>;

const keyOf = ({ event_key, channel }: Pick<Written, 'event_key' | 'channel'>): string =>
  `${event_key} ${channel}`;
const partyOf = ({ account_id, receiver }: Columns) => ({ accountId: account_id, receiver });

const toClaimed = (
  { columns, body }: Row,
  { id, secrets }: Written,
  leasedUntil: number,
): ClaimedDelivery => ({
  id,
  claim: 1,
  leasedUntil,
  accountId: columns.account_id,
  assistantId: columns.assistant_id,
  callId: columns.call_id,
  channel: columns.channel,
  event: columns.event,
  webhookId: columns.webhook_id,
  test: columns.test,
  url: columns.url,
  receiver: columns.receiver,
  body,
  roundAttempts: 0,
  secrets,
});

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
  claimed: false,
});
