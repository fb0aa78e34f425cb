import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
  type Relation,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

@Entity('plans')
@Check('plans_price_per_minute_micros_check', '(price_per_minute_micros >= 0)')
@Check('plans_max_test_conversations_per_day_check', '(max_test_conversations_per_day >= 0)')
@Check('plans_price_per_message_micros_check', '(price_per_message_micros >= 0)')
export class Plan {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ type: 'text', unique: true })
  name: string;

  @Column({ type: 'int' })
  maxTools: number;

  @Column({ type: 'int', default: 1000 })
  maxAssistants: number;

  @Column({ type: 'int' })
  maxCampaigns: number;

  @Column({ type: 'int', default: 1_000_000 })
  maxLeadsPerCampaign: number;

  @Column({ type: 'int' })
  maxParallelCalls: number;

  @Column({ type: 'int', default: 20 })
  maxKnowledgeBases: number;

  @Column({ type: 'int', default: 200 })
  maxDocuments: number;

  @Column({ type: 'int', default: 200 })
  maxDocumentMegabytes: number;

  @Column({ type: 'int', default: 60 })
  maxWebsitePages: number;

  @Column(bigintColumn())
  pricePerMinuteMicros: bigint;

  @Column(bigintColumn({ default: 10_000 }))
  pricePerMessageMicros: bigint;

  @Column({ type: 'int', default: 100 })
  maxTestConversationsPerDay: number;
}

@Entity('accounts')
@Check('accounts_held_micros_check', '(held_micros >= 0)')
export class Account {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', unique: true })
  email: string;

  @Column({ type: 'int' })
  planId: number;

  @ManyToOne(() => Plan)
  plan: Relation<Plan>;

  /** ISO 3166-1 alpha-2: where a national phone number is read. */
  @Column({ type: 'char', length: 2 })
  country: string;

  @Column(bigintColumn({ default: 0 }))
  balanceMicros: bigint;

  /** The sum of the holds of running calls; a trigger on `calls` keeps it. */
  @Column(bigintColumn({ default: 0 }))
  heldMicros: bigint;

  /** ISO 3166-1 alpha-2: where calls and messages may go; null: everywhere. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedCountries: string[] | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  /** The amount that may be spent: the balance without the holds of running calls. */
  get availableMicros(): bigint {
    return this.balanceMicros - this.heldMicros;
  }
}

/**
 * Why money moved. `call-carrier` is the carrier's cost of a call when it became known only after the call was
 * charged; `sms-recharge` takes again what was refunded for a message that the carrier had sent after all;
 * `phone-number` is a month of a number, refunded where the number was not bought after all.
 * `chat` is a message of a text conversation.
 */
export const LEDGER_KINDS = [
  'top-up',
  'call',
  'call-carrier',
  'sms',
  'sms-refund',
  'sms-recharge',
  'phone-number',
  'phone-number-refund',
  'chat',
  'chat-refund',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** One movement of money; written by `Ledger` only, never changed. */
@Entity('ledger_entries')
@Check('ledger_entries_check', "((kind <> 'sms'::text) OR (balance_micros >= 0))")
@Check(
  'ledger_entries_kind_check',
  "(kind = ANY (ARRAY['top-up'::text, 'call'::text, 'call-carrier'::text, 'sms'::text, 'sms-refund'::text, 'sms-recharge'::text, 'phone-number'::text, 'phone-number-refund'::text, 'chat'::text, 'chat-refund'::text]))",
)
@Index('ledger_entries_account', { synchronize: false })
@Index('ledger_entries_account_time', ['accountId', 'createdAt'])
@Unique(['kind', 'reference'])
export class LedgerEntry {
  /** Decimal text of a 64-bit number. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  kind: LedgerKind;

  @Column({ type: 'text' })
  reference: string;

  @Column(bigintColumn())
  amountMicros: bigint;

  /** The account's balance after this entry. */
  @Column(bigintColumn())
  balanceMicros: bigint;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
