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
import type { CampaignStatus, CampaignWindow, QuietHours, StopReason, Weekday } from '../campaign.types.js';

@Entity('campaigns')
@Check(
  'campaigns_status_check',
  "(status = ANY (ARRAY['draft'::text, 'in-progress'::text, 'stopped'::text, 'completed'::text]))",
)
@Check(
  'campaigns_stopped_reason_check',
  "(stopped_reason = ANY (ARRAY['balance'::text, 'assistant_inactive'::text, 'assistant_deleted'::text, 'no_phone_number'::text]))",
)
@Check('campaigns_quiet_hours_check', "(quiet_hours = ANY (ARRAY['none'::text, 'auto'::text]))")
@Index('campaigns_account', { synchronize: false })
@Index('campaigns_due', ['wakeAt'], { where: "((status = 'in-progress'::text) AND (deleted_at IS NULL))" })
@Index('campaigns_waiting', ['accountId'], { where: 'waits_for_slot' })
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

  /** The API key that started it last: its spend limit counts for the calls. Null: none. */
  @Column({ type: 'int', nullable: true })
  startedByKeyId: number | null;

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

  /** Not empty: they count in place of the three columns above. */
  @Column({ type: 'jsonb', default: [] })
  windows: CampaignWindow[];

  /** Whether the window must be open in all possible zones of a number, also where the campaign's is one of them. */
  @Column({ type: 'boolean', default: false })
  strictTimezones: boolean;

  @Column({ type: 'text', default: 'none' })
  quietHours: QuietHours;

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

  /** Name of the evaluation's field that is true when the goal was reached. */
  @Column({ type: 'text', nullable: true })
  goalCompletionVariable: string | null;

  @Column({ type: 'boolean' })
  markCompleteWhenNoLeads: boolean;

  @Column({ type: 'int', array: true })
  phoneNumberIds: number[];

  /**
   * When the dialler has something to do: a lead is due, a window opens, or the last lead has ended. Triggers on leads
   * bring it forward.
   */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  wakeAt: Date;

  /** The dialler waits for a free slot; changes of leads do not matter until then. */
  @Column({ type: 'boolean', default: false })
  waitsForSlot: boolean;

  /** When it last took leads: free slots go to the campaign that took none for longest. */
  @Column({ type: 'timestamptz', nullable: true })
  dialledAt: Date | null;

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

/** Makes a campaign due after a change that affects the dialler. */
export const CAMPAIGN_DUE_NOW = { wakeAt: (): string => 'now()', waitsForSlot: false } as const;
