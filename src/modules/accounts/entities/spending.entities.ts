import { Check, Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

/** The `keyId` of what an account spends as a whole. */
export const WHOLE_ACCOUNT = 0;

/**
 * The spend limit of an account or of one of its API keys, and what counts against it. The view `spending` has the
 * sums; functions of the database write them. A key that was revoked keeps its row: what it started may go on.
 */
@Entity('spend_counters')
@Check('spend_counters_limit_micros_check', '(limit_micros >= 0)')
export class SpendCounter {
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  /** 0: of the account. */
  @PrimaryColumn({ type: 'int' })
  keyId: number;

  /** Of each hour; null: none. */
  @Column(bigintColumn({ nullable: true }))
  limitMicros: bigint | null;

  /** The hour (UTC) in which `chargedMicros` was charged; null: nothing was. */
  @Column({ type: 'timestamptz', nullable: true })
  hour: Date | null;

  /** Less what was given back. */
  @Column(bigintColumn({ default: 0 }))
  chargedMicros: bigint;

  /** What running calls of the key hold; that of the account is in `Account`. */
  @Column(bigintColumn({ default: 0 }))
  heldMicros: bigint;
}

/** A limit that was reached in an hour; `note_spend_limits` writes it with its event. */
@Entity('spend_alerts')
@Unique(['accountId', 'keyId', 'hour', 'limitMicros'])
export class SpendAlert {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** 0: the limit of the account. */
  @Column({ type: 'int' })
  keyId: number;

  /** The beginning of the hour. */
  @Column({ type: 'timestamptz' })
  hour: Date;

  @Column(bigintColumn())
  limitMicros: bigint;

  /** Charged in the hour and held by running calls, when the limit was reached. */
  @Column(bigintColumn())
  spentMicros: bigint;

  /** When it was written to the audit log. */
  @Column({ type: 'timestamptz', nullable: true })
  recordedAt: Date | null;
}
