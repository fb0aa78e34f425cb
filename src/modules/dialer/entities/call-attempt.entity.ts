import type { LeadStatus } from '../../leads/lead.types.js';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

export type AttemptState = 'requesting' | 'placed' | 'closed';

/** One dialling of one number. It occupies a slot until its call has ended. */
@Entity('call_attempts')
export class CallAttempt {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ name: 'call_id', type: 'int' })
  callId: number;

  @Column({ name: 'campaign_id', type: 'int', nullable: true })
  campaignId: number | null;

  /** The main lead, also when one of its secondary contacts is dialled. */
  @Column({ name: 'lead_id', type: 'int', nullable: true })
  leadId: number | null;

  @Column({ name: 'contact_id', type: 'int', nullable: true })
  contactId: number | null;

  /** The lead's when it was claimed. */
  @Column({ name: 'lead_status', type: 'text', nullable: true })
  leadStatus: LeadStatus | null;

  @Column({ name: 'phone_number', type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text' })
  state: AttemptState;

  /** The slot's lease: ring time-out + longest call + 60 s. */
  @Column({ name: 'slot_until', type: 'timestamptz' })
  slotUntil: Date;

  /** Outcome of the call; set when the lead's next status is decided. */
  @Column({ type: 'text', nullable: true })
  outcome: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
  closedAt: Date | null;
}
