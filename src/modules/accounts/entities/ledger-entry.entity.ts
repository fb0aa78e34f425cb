import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/bigint-column.js';
import type { LedgerKind } from '../ledger-kinds.js';

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
