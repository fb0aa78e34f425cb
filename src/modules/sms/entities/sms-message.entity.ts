import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import type { SmsStatus } from '../sms-status.js';

@Entity('sms_messages')
export class SmsMessage {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ name: 'phone_number_id', type: 'int' })
  phoneNumberId: number;

  /** E.164, as it was when the message was sent. */
  @Column({ name: 'from_number', type: 'text' })
  from: string;

  /** E.164 */
  @Column({ name: 'to_number', type: 'text' })
  to: string;

  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'int' })
  segments: number;

  @Column(bigintColumn('segment_price_micros'))
  segmentPriceMicros: bigint;

  @Column(bigintColumn('total_cost_micros'))
  totalCostMicros: bigint;

  @Column({ type: 'text' })
  status: SmsStatus;

  /** Names the message in the carrier's reports; unguessable. */
  @Column({ type: 'text' })
  token: string;

  /** The logical request of an Idempotency-Key, decimal text. */
  @Column({ name: 'request_id', type: 'bigint', nullable: true })
  requestId: string | null;

  /** The carrier's identifier; null until the carrier is known to have the message. */
  @Column({ name: 'sms_sid', type: 'text', nullable: true })
  smsSid: string | null;

  /** Why it failed, in the carrier's words where there are any. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** When the carrier is asked about a pending message. */
  @Column({ name: 'check_at', type: 'timestamptz', nullable: true })
  checkAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}

/** A failed message without a carrier identifier was refunded. */
export const wasRefunded = ({ status, smsSid }: Pick<SmsMessage, 'status' | 'smsSid'>): boolean =>
  status === 'failed' && smsSid === null;
