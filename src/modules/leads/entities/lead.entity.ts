import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { LeadOutcome, LeadStatus, Variables } from '../lead.types.js';

/** A main lead, or one of its secondary contacts. */
@Entity('leads')
@Check(
  'leads_status_check',
  "(status = ANY (ARRAY['created'::text, 'scheduled'::text, 'processing'::text, 'rescheduled'::text, 'completed'::text, 'reached-max-retries'::text, 'blacklisted'::text]))",
)
@Check(
  'leads_last_outcome_check',
  "(last_outcome = ANY (ARRAY['completed'::text, 'goal_incomplete'::text, 'opted_out'::text, 'machine'::text, 'busy'::text, 'no-answer'::text, 'failed'::text, 'invalid_number'::text, 'no_timezone'::text, 'number_limit'::text, 'suppressed'::text, 'destination_not_allowed'::text]))",
)
@Index('leads_account', { synchronize: false })
@Index('leads_status', { synchronize: false })
@Index('leads_campaign', { synchronize: false })
@Index('leads_number', ['campaignId', 'phoneNumber'], {
  unique: true,
  where: '((main_lead_id IS NULL) AND (NOT is_duplicate))',
})
@Index('leads_copies', ['campaignId', 'phoneNumber', 'id'], { where: 'is_duplicate' })
@Index('leads_caller', ['accountId', 'phoneNumber'])
@Index('leads_contacts', ['mainLeadId', 'id'], { where: '(main_lead_id IS NOT NULL)' })
@Index('leads_queue', ['campaignId', 'status', 'zone', 'dueAt', 'id'], {
  where:
    "((main_lead_id IS NULL) AND (status = ANY (ARRAY['created'::text, 'scheduled'::text, 'rescheduled'::text])))",
})
@Index('leads_campaign_status', ['campaignId', 'status'], { where: '(main_lead_id IS NULL)' })
export class Lead {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** A contact's is that of its main lead. */
  @ForeignKey('campaigns', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  campaignId: number;

  /** Null: this is a main lead. */
  @ForeignKey('leads', { onDelete: 'CASCADE' })
  @Column({ type: 'int', nullable: true })
  mainLeadId: number | null;

  /** E.164 */
  @Column({ type: 'text' })
  phoneNumber: string;

  /** The number before the migration to one form of numbers; null: unchanged. */
  @Column({ type: 'text', nullable: true })
  formerPhoneNumber: string | null;

  @Column({ type: 'jsonb', default: {} })
  variables: Variables;

  @Column({ type: 'text', default: 'created' })
  status: LeadStatus;

  /** Of the main leads with one number in a campaign, all but one are duplicates. */
  @Column({ type: 'boolean', default: false })
  isDuplicate: boolean;

  /** Calls placed to this number since the lead was last put into the queue. */
  @Column({ type: 'int', default: 0 })
  attempts: number;

  /** Not to be called before: the pause before a retry, or an appointment. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  /**
   * Of a main lead: the key of the time zones (`zoneKeyOf`) of the number that is dialled next, written with what it is
   * derived from (`LeadZonesService`). Null: of contacts and of leads of earlier releases, until they are dialled.
   */
  @Column({ type: 'text', nullable: true })
  zone: string | null;

  /** The status before an appointment; of a scheduled main lead. */
  @Column({ type: 'text', nullable: true })
  unscheduledStatus: LeadStatus | null;

  /** A main lead's is that of the number that was dialled last. */
  @Column({ type: 'text', nullable: true })
  lastOutcome: LeadOutcome | null;

  /** The carrier has reported that the number does not exist: it is not dialled again. */
  @Column({ type: 'boolean', default: false })
  numberInvalid: boolean;

  /** The status `created` was set while a call was running; only of leads that are `processing`. */
  @Column({ type: 'boolean', default: false })
  requeueAfterCall: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** How many main leads a campaign has, by status: sums of its rows, which triggers keep (docs/build/adr/0027). */
@Entity('lead_counts')
export class LeadCount {
  @ForeignKey('campaigns', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  campaignId: number;

  /** Transactions that run at the same time count into different rows, so that none waits for another. */
  @PrimaryColumn({ type: 'int' })
  part: number;

  @PrimaryColumn({ type: 'text' })
  status: LeadStatus;

  /** Negative where leads left that another part counts. */
  @Column({ type: 'int' })
  n: number;
}

/** The same by the day on which the leads were created, for pages of lists. */
@Entity('lead_day_counts')
export class LeadDayCount {
  @ForeignKey('campaigns', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  campaignId: number;

  /** `YYYY-MM-DD` in UTC. */
  @PrimaryColumn({ type: 'date' })
  day: string;

  /** As in `lead_counts`. */
  @PrimaryColumn({ type: 'int' })
  part: number;

  @PrimaryColumn({ type: 'text' })
  status: LeadStatus;

  /** Negative where leads left that another part counts. */
  @Column({ type: 'int' })
  n: number;
}
