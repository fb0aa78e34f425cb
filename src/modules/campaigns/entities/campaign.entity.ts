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
import type { CampaignStatus, Weekday } from '../campaign.types.js';

@Entity('campaigns')
@Check(
  'campaigns_status_check',
  "(status = ANY (ARRAY['draft'::text, 'in-progress'::text, 'stopped'::text, 'completed'::text]))",
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

  /** Times in a row that the carrier took no calls; 0 once it took one. */
  @Column({ type: 'int', default: 0 })
  carrierRefusals: number;

  /** No lead is dialled before. */
  @Column({ type: 'timestamptz', nullable: true })
  dialAfter: Date | null;

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
