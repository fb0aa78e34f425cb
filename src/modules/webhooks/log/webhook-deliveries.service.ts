import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { offsetOf, Page } from '#src/common/pagination/page.js';
import { readTimestamp } from '#src/common/validation/text-fields.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { WebhookAttempt } from '../entities/webhook-attempt.entity.js';
import { WebhookDelivery } from '../entities/webhook-delivery.entity.js';
import { DeliveryNotFound } from '../webhooks.errors.js';
import {
  toDeliveryDetailResponse,
  toDeliveryResponse,
  type DeliveryDetailResponse,
  type DeliveryResponse,
} from './dto/delivery.response.js';
import type { ListDeliveriesDto, ReplayDeliveriesDto, ReplayedResponse } from './dto/webhook-log.dto.js';

/** Most rows that a replay enqueues at once; reconciliation finds the others. */
const WAKE_AT_ONCE = 500;
/** Starts a new round with all attempts. */
const REPLAY = `UPDATE webhook_deliveries SET state = 'pending', reason = NULL, round_attempts = 0, due_at = now()`;

/** All but the body, which can be as large as the variables of a call. */
const LISTED = {
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
  ) {}

  async pageOfDeliveries(userId: number, query: ListDeliveriesDto): Promise<Page<DeliveryResponse>> {
    const { call_id, status, channel } = query;
    const where: FindOptionsWhere<WebhookDelivery> = { accountId: userId };
    if (call_id !== undefined) where.callId = call_id;
    if (status !== undefined) where.state = status;
    if (channel !== undefined) where.channel = channel;
    const [found, total] = await this.deliveries.findAndCount({
      select: LISTED,
      where,
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: offsetOf(query),
      take: query.per_page,
    });
    return new Page(found, total, query).map(toDeliveryResponse);
  }

  async getDelivery(userId: number, id: number): Promise<DeliveryDetailResponse> {
    const delivery = await this.deliveries.findOneBy({ id, accountId: userId });
    if (!delivery) throw new DeliveryNotFound();
    const attempts = await this.attempts.find({ where: { deliveryId: id }, order: { id: 'ASC' } });
    return toDeliveryDetailResponse(delivery, attempts);
  }

  /** Sends it again, with the same body and `webhook-id`, to the channel's current URL. */
  async replayDelivery(userId: number, id: number): Promise<DeliveryResponse> {
    const [rows]: [unknown[], number] = await this.deliveries.query(
      `${REPLAY} WHERE id = $1 AND account_id = $2 RETURNING id`,
      [id, userId],
    );
    const delivery = rows.length > 0 && (await this.deliveries.findOneBy({ id }));
    if (!delivery) throw new DeliveryNotFound();
    this.queue.enqueue('webhook-delivery', { id, accountId: userId });
    return toDeliveryResponse(delivery);
  }

  async replayDeliveries(userId: number, { since, status }: ReplayDeliveriesDto): Promise<ReplayedResponse> {
    const [rows]: [{ id: number }[], number] = await this.deliveries.query(
      `${REPLAY} WHERE account_id = $1 AND state = $2 AND created_at >= $3 AND NOT test RETURNING id`,
      [userId, status, readTimestamp(since)],
    );
    for (const { id } of rows.slice(0, WAKE_AT_ONCE)) {
      this.queue.enqueue('webhook-delivery', { id, accountId: userId });
    }
    return { replayed: rows.length };
  }
}
