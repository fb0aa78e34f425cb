import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { DeliveryState, WebhookEvent } from '../webhook.types.js';

/** One event on its way to one channel. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  channel: WebhookChannel;

  @Column({ type: 'text' })
  event: WebhookEvent;

  /** The same on every attempt: by it a receiver knows a repetition. */
  @Column({ name: 'webhook_id', type: 'text' })
  webhookId: string;

  @Column({ name: 'call_id', type: 'int', nullable: true })
  callId: number | null;

  @Column({ name: 'assistant_id', type: 'int' })
  assistantId: number;

  @Column({ type: 'boolean' })
  test: boolean;

  @Column({ type: 'text' })
  url: string;

  /** The very text that is signed and sent. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text' })
  state: DeliveryState;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'int' })
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;

  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
