import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import type { CallStatus, CallType } from '../states/call-states.js';

/** A change of the statistics by a finished call; triggers on `calls` write it. */
@Entity('call_stat_changes')
@Index('call_stat_changes_account', ['accountId', 'hour'])
export class CallStatChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ type: 'int' })
  accountId: number;

  /** UTC; of the call's beginning. */
  @Column({ type: 'timestamptz' })
  hour: Date;

  @Column({ type: 'int' })
  assistantId: number;

  @Column({ type: 'int', nullable: true })
  campaignId: number | null;

  @Column({ type: 'text' })
  type: CallType;

  @Column({ type: 'text' })
  status: CallStatus;

  /** `ended_reason`, `none`, or `other` for the carrier's texts. */
  @Column({ type: 'text' })
  outcome: string;

  @Column({ type: 'text' })
  answeredBy: string;

  /** Negative, as all figures, for a removed call. */
  @Column({ type: 'int' })
  n: number;

  /** Answered by a person or a machine. */
  @Column({ type: 'int' })
  connected: number;

  /** Not by a machine. */
  @Column({ type: 'int' })
  answered: number;

  @Column({ type: 'int' })
  seconds: number;

  @Column(bigintColumn())
  costMicros: bigint;

  /** Whether the first boolean field of the evaluation has a value. */
  @Column({ type: 'int' })
  evaluated: number;

  /** Whether that value is true. */
  @Column({ type: 'int' })
  succeeded: number;

  /** See `RESPONSE_TIME_BOUNDS`; empty: none. */
  @Column({ type: 'int', array: true })
  responses: number[];

  /** Booleans and short texts. */
  @Column({ type: 'jsonb' })
  evaluation: Record<string, string | boolean>;
}

/** Sums of changes by one property of the calls: one row an hour for each of its values. */
@Entity('call_stats')
export class CallStat {
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  /** `all`, a property of calls, or `evaluation:` and the name of a field. */
  @PrimaryColumn({ type: 'text' })
  dimension: string;

  @PrimaryColumn({ type: 'timestamptz' })
  hour: Date;

  /** The value as text. */
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'int' })
  n: number;

  @Column({ type: 'int' })
  connected: number;

  @Column({ type: 'int' })
  answered: number;

  @Column(bigintColumn())
  seconds: bigint;

  @Column(bigintColumn())
  costMicros: bigint;

  @Column({ type: 'int' })
  evaluated: number;

  @Column({ type: 'int' })
  succeeded: number;

  @Column({ type: 'int', array: true })
  responses: number[];
}

/** The values of a field of the evaluation that have rows of their own; all others are `other`. */
@Entity('call_stat_values')
export class CallStatValue {
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  @PrimaryColumn({ type: 'text' })
  dimension: string;

  @PrimaryColumn({ type: 'text' })
  key: string;
}
