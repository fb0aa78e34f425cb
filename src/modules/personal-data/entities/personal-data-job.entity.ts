import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { PersonalDataCounts } from '#src/common/personal-data.js';

export type PersonalDataJobKind = 'erasure' | 'export';
export const JOB_STATUSES = ['waiting', 'running', 'done', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The erasure or the export of the data of one person. */
@Entity('personal_data_jobs')
@Check('personal_data_jobs_kind_check', "(kind = ANY (ARRAY['erasure'::text, 'export'::text]))")
@Check(
  'personal_data_jobs_status_check',
  "(status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text]))",
)
@Index('personal_data_jobs_account', { synchronize: false })
@Index('personal_data_jobs_due', ['accountId', 'dueAt', 'id'], { where: '(due_at IS NOT NULL)' })
@Index('personal_data_jobs_number', ['accountId', 'numberHash'], { where: '(number_hash IS NOT NULL)' })
export class PersonalDataJob {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  kind: PersonalDataJobKind;

  @Column({ type: 'text', default: 'waiting' })
  status: JobStatus;

  /** E.164, encrypted; null: the job is over, of an export its archive too. */
  @Column({ type: 'text', nullable: true })
  phoneNumber: string | null;

  /** As long as the number, see `NumberHashesService`. */
  @Column({ type: 'text', nullable: true })
  numberHash: string | null;

  @Column({ type: 'text' })
  maskedNumber: string;

  /** Of an erasure: the number stays suppressed, as its hash. */
  @Column({ type: 'boolean', default: false })
  keepSuppressed: boolean;

  @Column({ type: 'jsonb', default: {} })
  counts: PersonalDataCounts;

  /** What has to end before it goes on; null: nothing. */
  @Column({ type: 'text', nullable: true })
  waitsFor: string | null;

  /** Since when it waits for the same. */
  @Column({ type: 'timestamptz', nullable: true })
  waitsSince: Date | null;

  /** Why it failed. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** Tries in a row that failed. */
  @Column({ type: 'int', default: 0 })
  failures: number;

  @Column({ type: 'int', default: 0 })
  claims: number;

  /** Null: there is nothing to do any more. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt: Date | null;

  /** Of an export that is done: until then its archive can be read. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt: Date | null;
}
