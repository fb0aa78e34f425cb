import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An event that is not handed over yet, or could not be. */
@Entity('domain_events')
@Check('domain_events_state_check', "(state = ANY (ARRAY['pending'::text, 'dead'::text]))")
@Index('domain_events_account_due', ['accountId', 'dueAt', 'id'], { where: "(state = 'pending'::text)" })
export class DomainEventRecord {
  /** Decimal text of a 64-bit number. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'jsonb' })
  payload: Record<string, unknown>;

  /** 0: the event names none. */
  @Column({
    type: 'int',
    nullable: true,
    generatedType: 'STORED',
    asExpression: "COALESCE(((payload ->> 'accountId'::text))::integer, 0)",
  })
  accountId: number;

  /** `dead`: it failed repeatedly and waits for an operator. */
  @Column({ type: 'text', default: 'pending' })
  state: 'pending' | 'dead';

  @Column({ type: 'int', default: 0 })
  attempts: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  /** Why its last hand-over failed. */
  @Column({ type: 'text', nullable: true })
  lastError: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
