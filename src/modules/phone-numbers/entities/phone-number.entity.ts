import {
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

/**
 * `buying`: paid for, the carrier has not confirmed it. `releasing`: no longer the account's, the carrier has not
 * confirmed that either. `released` and `failed` (never bought, refunded) are final.
 */
export type PhoneNumberState = 'buying' | 'active' | 'releasing' | 'released' | 'failed';

/** States of a number that nobody else can have; the condition of the unique index. */
export const OWNED_STATES: PhoneNumberState[] = ['buying', 'active', 'releasing'];

/** ISO 3166 user-assigned: numbers that belong to no country, such as +800. */
export const NO_COUNTRY_CODE = 'ZZ';

@Entity('phone_numbers')
@Index('phone_numbers_account', ['accountId', 'id'])
@Index('phone_numbers_in_use', ['phoneNumber'], {
  unique: true,
  where: "(state = ANY (ARRAY['buying'::text, 'active'::text, 'releasing'::text]))",
})
@Index('phone_numbers_account_due', ['accountId', 'dueAt', 'id'], { where: '(due_at IS NOT NULL)' })
@Check(
  'phone_numbers_state_check',
  "(state = ANY (ARRAY['buying'::text, 'active'::text, 'releasing'::text, 'released'::text, 'failed'::text]))",
)
@Check('phone_numbers_price_micros_check', '(price_micros >= 0)')
@Check('phone_numbers_paid_months_check', '(paid_months >= 0)')
export class PhoneNumber {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** E.164 */
  @Column({ type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  nickname: string | null;

  @Column({ type: 'char', length: 2 })
  countryCode: string;

  @Column({ type: 'text', default: 'local' })
  type: string;

  @Column({ type: 'boolean', default: false })
  smsCapable: boolean;

  @Column({ type: 'text', nullable: true })
  region: string | null;

  @Column({ type: 'text', default: 'active' })
  state: PhoneNumberState;

  /** Null: not known, for numbers that operators added. */
  @Column({ type: 'text', nullable: true })
  carrierSid: string | null;

  /** Of a month. Null: not billed and not renewed. */
  @Column(bigintColumn({ nullable: true }))
  priceMicros: bigint | null;

  /** Since `createdAt`. */
  @Column({ type: 'int', default: 0 })
  paidMonths: number;

  /** Since when the balance does not cover the next month. */
  @Column({ type: 'timestamptz', nullable: true })
  unpaidSince: Date | null;

  /** Null: the subscription does not end. Of a paid one the days of grace are included. */
  @Column({ type: 'timestamptz', nullable: true })
  subscriptionExpiresAt: Date | null;

  /** When background work continues: confirmation, renewal or release. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** The logical request of an Idempotency-Key, decimal text. */
  @Column({ type: 'bigint', nullable: true, unique: true })
  requestId: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** The account does not see it any more. */
  @DeleteDateColumn({ type: 'timestamptz' })
  deletedAt: Date | null;
}

export const hasActiveSubscription = (
  { state, subscriptionExpiresAt: end }: Pick<PhoneNumber, 'state' | 'subscriptionExpiresAt'>,
  now = new Date(),
): boolean => state === 'active' && (end === null || end > now);
