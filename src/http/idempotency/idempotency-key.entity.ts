import { Column, CreateDateColumn, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';

/** An `Idempotency-Key` with the answer that its request got. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  @PrimaryColumn({ type: 'text' })
  key: string;

  /** Names the logical request (decimal text); a retry after the death of a process keeps it. */
  @Generated('increment')
  @Column({ type: 'bigint', generatedIdentity: 'ALWAYS' })
  requestId: string;

  @Column({ type: 'text' })
  requestHash: string;

  /**
   * The id of the resource that the request has created, stored with it; null: none, or one that `requestId`
   * identifies.
   */
  @Column({ name: 'made_id', type: 'int', nullable: true })
  createdId: number | null;

  /** Null while the request is in progress. */
  @Column({ type: 'int', nullable: true })
  statusCode: number | null;

  @Column({ type: 'text', nullable: true })
  body: string | null;

  /** Names the holder of the lease, who renews it while it works. */
  @Index('idempotency_keys_lock', { unique: true })
  @Column({ type: 'uuid' })
  lock: string;

  @Column({ type: 'timestamptz' })
  lockedUntil: Date;

  @Index('idempotency_keys_age')
  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
