import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '#src/common/work-context.js';
import type { AuditAction, AuditDetails } from '../audit.types.js';

/** What somebody did. Rows are only inserted, by `append_audit_entries` of the database. */
@Entity('audit_entries')
@Check('audit_entries_seq_check', '(seq > 0)')
@Index('audit_entries_resource', ['accountId', 'resourceId', 'seq'])
@Index('audit_entries_time', ['accountId', 'createdAt'])
export class AuditEntry {
  /** Or `INSTALLATION`. */
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  /** From 1 on, without gaps, for each account. */
  @PrimaryColumn({ type: 'int' })
  seq: number;

  @Column({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text' })
  actorType: Actor['type'];

  @Column({ type: 'int', nullable: true })
  actorId: number | null;

  @Column({ type: 'text', nullable: true })
  actorName: string | null;

  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ type: 'text', nullable: true })
  requestId: string | null;

  @Column({ type: 'text' })
  action: AuditAction;

  /** Null: of none, or of many. */
  @Column({ type: 'text', nullable: true })
  resourceId: string | null;

  /** Names of changed fields. */
  @Column({ type: 'text', array: true })
  fields: string[];

  @Column({ type: 'jsonb' })
  details: AuditDetails;

  @Column({ type: 'text' })
  previousHash: string;

  @Column({ type: 'text' })
  hash: string;
}

/** The newest entry of an account. Its lock makes entries of the account follow each other. */
@Entity('audit_heads')
export class AuditHead {
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  @Column({ type: 'int' })
  seq: number;

  @Column({ type: 'text' })
  hash: string;
}
