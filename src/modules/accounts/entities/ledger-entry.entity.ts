import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

/**
 * Why money moved. `call-carrier` is the carrier's cost of a call when it became known only after the call was
 * charged; `sms-recharge` takes again what was refunded for a message that the carrier had sent after all.
 */
export const LEDGER_KINDS = ['top-up', 'call', 'call-carrier', 'sms', 'sms-refund', 'sms-recharge'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** One movement of money; written by `Ledger` only, never changed. */
@Entity('ledger_entries')
export class LedgerEntry {
  /** Decimal text of a 64-bit number. */
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  kind: LedgerKind;

  @Column({ type: 'text' })
  reference: string;

  @Column(bigintColumn('amount_micros'))
  amountMicros: bigint;

  /** The account's balance after this entry. */
  @Column(bigintColumn('balance_micros'))
  balanceMicros: bigint;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
