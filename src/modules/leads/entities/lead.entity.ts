import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { LeadStatus, Variables } from '../lead.types.js';

/** A main lead, or one of its secondary contacts. */
@Entity('leads')
export class Lead {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  /** A contact's is that of its main lead. */
  @Column({ name: 'campaign_id', type: 'int' })
  campaignId: number;

  /** Null: this is a main lead. */
  @Column({ name: 'main_lead_id', type: 'int', nullable: true })
  mainLeadId: number | null;

  /** E.164 */
  @Column({ name: 'phone_number', type: 'text' })
  phoneNumber: string;

  @Column({ type: 'jsonb' })
  variables: Variables;

  @Column({ type: 'text' })
  status: LeadStatus;

  /** Of the main leads with one number in a campaign, all but one are duplicates. */
  @Column({ name: 'is_duplicate', type: 'boolean' })
  isDuplicate: boolean;

  /** Calls placed to this number since the lead was last put into the queue. */
  @Column({ type: 'int' })
  attempts: number;

  /** Not to be called before. */
  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
