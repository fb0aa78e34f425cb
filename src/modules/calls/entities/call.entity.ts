import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import type { AnsweredBy } from '../../telephony/carrier-reports.js';
import type { CallStatus, CallType, EndedBy } from '../call-states.js';
import type { EvaluationPlan } from '../call.view.js';

@Entity('calls')
export class Call {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ name: 'assistant_id', type: 'int' })
  assistantId: number;

  /** As it was when the call was made; so is `campaignName`. */
  @Column({ name: 'assistant_name', type: 'text' })
  assistantName: string;

  @Column({ name: 'campaign_id', type: 'int', nullable: true })
  campaignId: number | null;

  @Column({ name: 'campaign_name', type: 'text', nullable: true })
  campaignName: string | null;

  @Column({ name: 'lead_id', type: 'int', nullable: true })
  leadId: number | null;

  @Column({ type: 'text' })
  type: CallType;

  @Column({ type: 'text' })
  status: CallStatus;

  /** Names the call in the carrier's callback URLs. */
  @Column({ type: 'text' })
  token: string;

  @Column({ name: 'request_id', type: 'bigint', nullable: true })
  requestId: string | null;

  @Column({ name: 'carrier_sid', type: 'text', nullable: true })
  carrierSid: string | null;

  @Column({ name: 'assistant_phone_number', type: 'text' })
  assistantPhoneNumber: string;

  @Column({ name: 'client_phone_number', type: 'text' })
  clientPhoneNumber: string;

  @Column({ type: 'jsonb' })
  variables: Record<string, unknown>;

  @Column({ name: 'answered_by', type: 'text' })
  answeredBy: AnsweredBy;

  @Column({ name: 'ended_by', type: 'text', nullable: true })
  endedBy: EndedBy | null;

  @Column({ name: 'ended_reason', type: 'text', nullable: true })
  endedReason: string | null;

  /** Seconds from answer to end. */
  @Column({ type: 'int' })
  duration: number;

  @Column({ type: 'text' })
  transcript: string;

  @Column({ type: 'jsonb' })
  evaluation: Record<string, unknown>;

  @Column({ name: 'evaluation_error', type: 'text', nullable: true })
  evaluationError: string | null;

  @Column({ name: 'evaluation_plan', type: 'jsonb', nullable: true })
  evaluationPlan: EvaluationPlan | null;

  @Column({ name: 'webhook_response', type: 'jsonb' })
  webhookResponse: Record<string, unknown>;

  @Column({ name: 'settings_not_applied', type: 'text', array: true })
  settingsNotApplied: string[];

  @Column({ name: 'recording_url', type: 'text', nullable: true })
  recordingUrl: string | null;

  @Column(bigintColumn('price_per_minute_micros'))
  pricePerMinuteMicros: bigint;

  @Column(bigintColumn('carrier_cost_micros'))
  carrierCostMicros: bigint;

  @Column(bigintColumn('total_cost_micros'))
  totalCostMicros: bigint;

  /** What the call may cost, kept from being spent elsewhere until it is charged. */
  @Column(bigintColumn('hold_micros'))
  holdMicros: bigint;

  /** Seconds; the longest that the conversation may last. */
  @Column({ name: 'max_duration', type: 'int' })
  maxDuration: number;

  @Column({ name: 'check_at', type: 'timestamptz', nullable: true })
  checkAt: Date | null;

  @Column({ name: 'price_check_at', type: 'timestamptz', nullable: true })
  priceCheckAt: Date | null;

  @Column({ name: 'wrap_up_state', type: 'text', nullable: true })
  wrapUpState: 'pending' | 'done' | null;

  @Column({ name: 'wrap_up_attempts', type: 'int' })
  wrapUpAttempts: number;

  @Column({ name: 'wrap_up_due_at', type: 'timestamptz', nullable: true })
  wrapUpDueAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'answered_at', type: 'timestamptz', nullable: true })
  answeredAt: Date | null;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;
}
