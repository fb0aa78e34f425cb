import {
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { CampaignStatus, StopReason, Weekday } from '../campaign.types.js';

@Entity('campaigns')
@Check(
  'campaigns_status_check',
  "(status = ANY (ARRAY['draft'::text, 'in-progress'::text, 'stopped'::text, 'completed'::text]))",
)
@Check(
  'campaigns_stopped_reason_check',
  "(stopped_reason = ANY (ARRAY['balance'::text, 'assistant_inactive'::text, 'assistant_deleted'::text, 'no_phone_number'::text]))",
)
@Index('campaigns_account', { synchronize: false })
@Index('campaigns_running', ['id'], { where: "((status = 'in-progress'::text) AND (deleted_at IS NULL))" })
@Index('campaigns_to_empty', ['accountId', 'deletedAt', 'id'], {
  where: '((deleted_at IS NOT NULL) AND (leads_removed_at IS NULL))',
})
export class Campaign {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('assistants')
  @Column({ type: 'int' })
  assistantId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', default: 'draft' })
  status: CampaignStatus;

  /** Null unless the campaign stopped by itself. */
  @Column({ type: 'text', nullable: true })
  stoppedReason: StopReason | null;

  /** When the campaign last completed by itself; null before, and for campaigns of earlier releases. */
  @Column({ type: 'timestamptz', nullable: true })
  completedAt: Date | null;

  /** Time zone of leads without their own. */
  @Column({ type: 'text' })
  timezone: string;

  @Column({ type: 'int' })
  maxCallsInParallel: number;

  /** `HH:MM`; an end before the start means over midnight. */
  @Column({ type: 'text' })
  allowedHoursStartTime: string;

  @Column({ type: 'text' })
  allowedHoursEndTime: string;

  @Column({ type: 'text', array: true })
  allowedDays: Weekday[];

  /** Calls to each number of a lead, the first one included. */
  @Column({ type: 'int' })
  maxRetries: number;

  /** Minutes. */
  @Column({ type: 'int' })
  retryInterval: number;

  @Column({ type: 'boolean' })
  retryOnVoicemail: boolean;

  @Column({ type: 'boolean' })
  retryOnGoalIncomplete: boolean;

  /** Name of the evaluation's field that says whether the goal was reached. */
  @Column({ type: 'text', nullable: true })
  goalCompletionVariable: string | null;

  @Column({ type: 'boolean' })
  markCompleteWhenNoLeads: boolean;

  @Column({ type: 'int', array: true })
  phoneNumberIds: number[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  @DeleteDateColumn({ type: 'timestamptz' })
  deletedAt: Date | null;

  /** Null for a deleted campaign, whose leads may not be removed yet. */
  @Column({ type: 'timestamptz', nullable: true })
  leadsRemovedAt: Date | null;
}
