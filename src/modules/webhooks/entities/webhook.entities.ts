import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { DeliveryState, WebhookEvent } from '../webhook.types.js';

@Entity('webhook_secrets')
@Index('webhook_secrets_current', ['accountId'], { unique: true, where: '(retires_at IS NULL)' })
@Index('webhook_secrets_account', ['accountId', 'id'])
export class WebhookSecret {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  secret: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** Signs until then, beside its successor; null: the current one. */
  @Column({ type: 'timestamptz', nullable: true })
  retiresAt: Date | null;
}

/** One event on its way to one channel. */
@Entity('webhook_deliveries')
@Check(
  'webhook_deliveries_channel_check',
  "(channel = ANY (ARRAY['post-call'::text, 'inbound'::text, 'conversation'::text]))",
)
@Check(
  'webhook_deliveries_state_check',
  "(state = ANY (ARRAY['pending'::text, 'delivered'::text, 'cancelled'::text, 'dead'::text]))",
)
@Index('webhook_deliveries_account', { synchronize: false })
@Index('webhook_deliveries_receiver_due', ['accountId', 'receiver', 'dueAt', 'id'], {
  where: "(state = 'pending'::text)",
})
@Index('webhook_deliveries_finished', ['assistantId', 'createdAt'], {
  where: "(state <> 'pending'::text)",
})
@Index('webhook_deliveries_dead', ['accountId', 'createdAt'], { where: "(state = 'dead'::text)" })
@Index('webhook_deliveries_age', ['createdAt'], { type: 'brin' })
@Unique(['eventKey', 'channel'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** Names the event: of a repeated one no second delivery is made. Of a call's events see `callEventKey`. */
  @Column({ type: 'text' })
  eventKey: string;

  @Column({ type: 'text' })
  channel: WebhookChannel;

  @Column({ type: 'text' })
  event: WebhookEvent;

  /** The same on every attempt, so that receivers can detect repetitions. */
  @Column({ type: 'text' })
  webhookId: string;

  @Column({ type: 'int', nullable: true })
  callId: number | null;

  @Column({ type: 'int' })
  assistantId: number;

  @Column({ type: 'boolean', default: false })
  test: boolean;

  @Column({ type: 'text' })
  url: string;

  /** Account and host, the unit of fairness. */
  @Column({ type: 'text' })
  receiver: string;

  /** The very text that is signed and sent. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text', default: 'pending' })
  state: DeliveryState;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'int', default: 0 })
  attempts: number;

  /** Since the last replay. */
  @Column({ type: 'int', default: 0 })
  roundAttempts: number;

  /** Number of claims by workers; a worker compares it to check whether the row is still its own. */
  @Column({ type: 'int', default: 0 })
  claims: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/** One request with its response. A trigger removes it with its delivery. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn({ type: 'int' })
  deliveryId: number;

  /** From 1 on. */
  @PrimaryColumn({ type: 'int' })
  number: number;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'int', nullable: true })
  statusCode: number | null;

  @Column({ type: 'text', nullable: true })
  responseBody: string | null;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ type: 'int' })
  durationMs: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/** Since when a channel has had nothing but failures; a success removes the row. */
@Entity('webhook_failures')
export class WebhookFailure {
  @PrimaryColumn({ type: 'int' })
  assistantId: number;

  @PrimaryColumn({ type: 'text' })
  channel: WebhookChannel;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since: Date;
}
