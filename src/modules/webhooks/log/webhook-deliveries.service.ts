import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { readTimestamp } from '#src/common/validation/text-fields.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AuditService } from '../../audit/audit.service.js';
import { DELIVERY_LEASE_SECONDS } from '../delivery/deliveries.repository.js';
import { WebhookAttempt, WebhookDelivery } from '../entities/webhook.entities.js';
import { DeliveryNotFound } from '../webhooks.errors.js';
import { callEventKeys, type DeliveryState } from '../webhook.types.js';
import {
  toDeliveryDetailResponse,
  toDeliveryResponse,
  type DeliveryDetailResponse,
  type DeliveryResponse,
} from './dto/delivery.response.js';
import type { ListDeliveriesDto, ReplayDeliveriesDto } from './dto/webhook-log.dto.js';
import type { ReplayedResponse } from './dto/replayed.response.js';

/** Rows that a replay enqueues; reconciliation finds the others. */
const MAX_ENQUEUED = 500;
/** Rows per statement: short locks, short transactions. */
const REPLAY_BATCH = 1_000;
/** All columns except the body, whose size depends on the call's variables. */
const LISTED_COLUMNS = {
  id: true,
  webhookId: true,
  event: true,
  channel: true,
  callId: true,
  assistantId: true,
  url: true,
  state: true,
  reason: true,
  test: true,
  attempts: true,
  dueAt: true,
  deliveredAt: true,
  createdAt: true,
} as const;

/** The delivery log of a user. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
  ) {}

  async listDeliveries(userId: number, query: ListDeliveriesDto): Promise<Page<DeliveryResponse>> {
    const { call_id, status, channel } = query;
    const where: FindOptionsWhere<WebhookDelivery> = { accountId: userId };
    if (call_id !== undefined) where.eventKey = In(callEventKeys(call_id));
    if (status !== undefined) where.state = status;
    if (channel !== undefined) where.channel = channel;
    const [found, total] = await this.deliveries.findAndCount({
      select: LISTED_COLUMNS,
      where,
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(found, total, query).map(toDeliveryResponse);
  }

  async getDelivery(userId: number, id: number): Promise<DeliveryDetailResponse> {
    const delivery = await this.deliveries.findOneBy({ id, accountId: userId });
    if (!delivery) throw new DeliveryNotFound();
    const attempts = await this.attempts.find({ where: { deliveryId: id }, order: { number: 'ASC' } });
    return toDeliveryDetailResponse(delivery, attempts);
  }

  /** Sends it again, with the same body and `webhook-id`, to the channel's current URL. */
  async replayDelivery(userId: number, id: number): Promise<DeliveryResponse> {
    await this.audit.change(async (tx, record) => {
      const count = await this.startRound(tx, userId, [id]);
      if (count > 0) record({ accountId: userId, action: 'delivery.replay', resourceId: id });
    });
    const delivery = await this.deliveries.findOneBy({ id, accountId: userId });
    if (!delivery) throw new DeliveryNotFound();
    this.enqueueAll(userId, [delivery]);
    return toDeliveryResponse(delivery);
  }

  /** Each row once, also when it is delivered or given up again before the last one is replayed. */
  async replayDeliveries(userId: number, { since, status }: ReplayDeliveriesDto): Promise<ReplayedResponse> {
    // Before the first batch, each of which is a transaction of its own.
    await this.audit.change(async (_tx, record) =>
      record({ accountId: userId, action: 'delivery.replay', details: { status } }),
    );
    let replayed = 0;
    let last: LogPosition = { id: 0, createdAt: readTimestamp(since) };
    for (let count = REPLAY_BATCH; count === REPLAY_BATCH;) {
      const rows = await this.replayBatch(userId, status, last);
      this.enqueueAll(userId, rows.slice(0, Math.max(0, MAX_ENQUEUED - replayed)));
      count = rows.length;
      replayed += count;
      last = rows.at(-1) ?? last;
    }
    return { replayed };
  }

  /** The next rows after `last`, the oldest first. */
  private replayBatch(userId: number, status: DeliveryState, last: LogPosition): Promise<LogPosition[]> {
    return this.deliveries.manager.transaction(async (manager) => {
      const rows: LogPosition[] = await manager.query(
        `SELECT id, created_at::text AS "createdAt" FROM webhook_deliveries
          WHERE account_id = $1 AND state = $2 AND NOT test AND (created_at, id) > ($3::timestamptz, $4::int)
          ORDER BY created_at, id LIMIT $5 FOR UPDATE`,
        [userId, status, last.createdAt, last.id, REPLAY_BATCH],
      );
      await this.startRound(
        manager,
        userId,
        rows.map(({ id }) => id),
      );
      return rows;
    });
  }

  /**
   * Starts a new round with all attempts. A claimed delivery without an attempt may be in flight until its lease ends:
   * it is due then, so that it is not sent twice at the same time.
   */
  private async startRound(manager: EntityManager, userId: number, ids: number[]): Promise<number> {
    const { affected } = await manager.update(
      WebhookDelivery,
      { id: In(ids), accountId: userId },
      {
        state: 'pending',
        reason: null,
        roundAttempts: 0,
        dueAt: () => `CASE WHEN state = 'pending' AND claims > attempts
          THEN least(due_at, now() + make_interval(secs => ${DELIVERY_LEASE_SECONDS})) ELSE now() END`,
      },
    );
    return affected ?? 0;
  }

  private enqueueAll(accountId: number, rows: readonly { id: number }[]): void {
    for (const { id } of rows) this.queue.enqueue('webhook-delivery', { id, accountId });
  }
}

/** Position in the order of an account's delivery log. */
interface LogPosition {
  id: number;
  /** Of a row as the database writes it: a `Date` has no microseconds. */
  createdAt: string | Date | null;
}
