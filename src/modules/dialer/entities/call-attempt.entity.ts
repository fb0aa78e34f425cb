import type { LeadStatus } from '../../leads/lead.types.js';
import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

export type AttemptState = 'requesting' | 'placed' | 'closed';

/** One dialling of one number. It occupies a slot until its call has ended. */
@Entity('call_attempts')
@Check(
  'call_attempts_state_check',
  "(state = ANY (ARRAY['requesting'::text, 'placed'::text, 'closed'::text]))",
)
@Index('call_attempts_live_lead', ['leadId'], { unique: true, where: "(state <> 'closed'::text)" })
@Index('call_attempts_live_number', ['accountId', 'phoneNumber'], {
  unique: true,
  where: "(state <> 'closed'::text)",
})
@Index('call_attempts_slots', ['accountId', 'campaignId'], { where: "(state <> 'closed'::text)" })
export class CallAttempt {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'int', unique: true })
  callId: number;

  @Column({ type: 'int', nullable: true })
  campaignId: number | null;

  /** The main lead, also when one of its secondary contacts is dialled. */
  @Column({ type: 'int', nullable: true })
  leadId: number | null;

  @Column({ type: 'int', nullable: true })
  contactId: number | null;

  /** The lead's when it was claimed. */
  @Column({ type: 'text', nullable: true })
  leadStatus: LeadStatus | null;

  @Column({ type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text', default: 'requesting' })
  state: AttemptState;

  /** The slot's lease: ring time-out + longest call + 60 s. */
  @Column({ type: 'timestamptz' })
  slotUntil: Date;

  /** Outcome of the call; set when the lead's next status is decided. */
  @Column({ type: 'text', nullable: true })
  outcome: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  closedAt: Date | null;
}
