import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

/**
 * `pending`: charged, and nobody knows yet whether the carrier has it. `sent`: the carrier has it. `failed`: the
 * carrier refused it, never got it (both refunded) or could not deliver it.
 */
export const SMS_STATUSES = ['pending', 'sent', 'delivered', 'failed'] as const;

export type SmsStatus = (typeof SMS_STATUSES)[number];

@Entity('sms_messages')
@Check('sms_messages_segments_check', '(segments > 0)')
@Check(
  'sms_messages_status_check',
  "(status = ANY (ARRAY['pending'::text, 'sent'::text, 'delivered'::text, 'failed'::text]))",
)
@Index('sms_messages_account', { synchronize: false })
@Index('sms_messages_recipient', { synchronize: false })
@Index('sms_messages_account_check', ['accountId', 'checkAt', 'id'], { where: '(check_at IS NOT NULL)' })
@Index('sms_messages_with_body', ['accountId', 'createdAt'], { where: "(body <> ''::text)" })
@Index('sms_messages_request_id', ['requestId'], { unique: true, where: '(request_id IS NOT NULL)' })
@Index('sms_messages_sms_sid', ['smsSid'], { unique: true, where: '(sms_sid IS NOT NULL)' })
export class SmsMessage {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** The API key that sent it; null: none. */
  @Column({ type: 'int', nullable: true })
  apiKeyId: number | null;

  @Column({ type: 'int' })
  phoneNumberId: number;

  /** E.164, as it was when the message was sent. */
  @Column({ name: 'from_number', type: 'text' })
  from: string;

  /** E.164 */
  @Column({ name: 'to_number', type: 'text' })
  to: string;

  /** Empty: it was removed. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'int' })
  segments: number;

  @Column(bigintColumn())
  segmentPriceMicros: bigint;

  @Column(bigintColumn())
  totalCostMicros: bigint;

  @Column({ type: 'text', default: 'pending' })
  status: SmsStatus;

  /** Names the message in the carrier's reports; unguessable. */
  @Column({ type: 'text', unique: true })
  token: string;

  /** The logical request of an Idempotency-Key, decimal text. */
  @Column({ type: 'bigint', nullable: true })
  requestId: string | null;

  /** The carrier's identifier; null until the carrier is known to have the message. */
  @Column({ type: 'text', nullable: true })
  smsSid: string | null;

  /** Why it failed, in the carrier's words where there are any. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** Time of the carrier's check for a pending message, and of the removal of a removed body at the carrier. */
  @Column({ type: 'timestamptz', nullable: true })
  checkAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** A failed message without a carrier identifier was refunded. */
export const wasRefunded = ({ status, smsSid }: Pick<SmsMessage, 'status' | 'smsSid'>): boolean =>
  status === 'failed' && smsSid === null;

/** Price of a segment from a time on; the newest price of a country applies. */
@Entity('sms_prices')
@Check('sms_prices_price_micros_check', '(price_micros >= 0)')
@Index('sms_prices_country', { synchronize: false })
export class SmsPrice {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** ISO 3166-1 alpha-2; null: every country that has no price of its own. */
  @Column({ type: 'char', length: 2, nullable: true })
  country: string | null;

  @Column(bigintColumn())
  priceMicros: bigint;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  validFrom: Date;
}
