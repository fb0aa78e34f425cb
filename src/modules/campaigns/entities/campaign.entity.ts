import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { CampaignStatus, Weekday } from '../campaign.types.js';

@Entity('campaigns')
export class Campaign {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ name: 'assistant_id', type: 'int' })
  assistantId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', default: 'draft' })
  status: CampaignStatus;

  /** Time zone of leads without their own. */
  @Column({ type: 'text' })
  timezone: string;

  @Column({ name: 'max_calls_in_parallel', type: 'int' })
  maxCallsInParallel: number;

  /** `HH:MM`; an end before the start means over midnight. */
  @Column({ name: 'allowed_hours_start_time', type: 'text' })
  allowedHoursStartTime: string;

  @Column({ name: 'allowed_hours_end_time', type: 'text' })
  allowedHoursEndTime: string;

  @Column({ name: 'allowed_days', type: 'text', array: true })
  allowedDays: Weekday[];

  /** Calls to each number of a lead, the first one included. */
  @Column({ name: 'max_retries', type: 'int' })
  maxRetries: number;

  /** Minutes. */
  @Column({ name: 'retry_interval', type: 'int' })
  retryInterval: number;

  @Column({ name: 'retry_on_voicemail', type: 'boolean' })
  retryOnVoicemail: boolean;

  @Column({ name: 'retry_on_goal_incomplete', type: 'boolean' })
  retryOnGoalIncomplete: boolean;

  /** Name of the evaluation's field that says whether the goal was reached. */
  @Column({ name: 'goal_completion_variable', type: 'text', nullable: true })
  goalCompletionVariable: string | null;

  @Column({ name: 'mark_complete_when_no_leads', type: 'boolean' })
  markCompleteWhenNoLeads: boolean;

  @Column({ name: 'phone_number_ids', type: 'int', array: true })
  phoneNumberIds: number[];

  /** Times in a row that the carrier took no calls; 0 once it took one. */
  @Column({ name: 'carrier_refusals', type: 'int', default: 0 })
  carrierRefusals: number;

  /** No lead is dialled before. */
  @Column({ name: 'dial_after', type: 'timestamptz', nullable: true })
  dialAfter: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz' })
  deletedAt: Date | null;

  /** Null for a deleted campaign, whose leads may not be removed yet. */
  @Column({ name: 'leads_removed_at', type: 'timestamptz', nullable: true })
  leadsRemovedAt: Date | null;
}
