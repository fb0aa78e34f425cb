import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import type { AnsweredBy } from '../../telephony/carrier-reports.js';
import type { CallStatus, CallType, EndedBy } from '../states/call-states.js';
import type { Transfer } from '../states/call-transfers.js';
import type { EvaluationPlan } from '../call.view.js';
import type { ProviderFailure } from '../provider-failure.js';

@Entity('calls')
@Check(
  'calls_answered_by_check',
  "(answered_by = ANY (ARRAY['human'::text, 'machine'::text, 'unknown'::text]))",
)
@Check(
  'calls_ended_by_check',
  "(ended_by = ANY (ARRAY['customer'::text, 'assistant'::text, 'system'::text]))",
)
@Check('calls_hold_micros_check', '(hold_micros >= 0)')
@Check(
  'calls_hold_released',
  "((hold_micros = 0) OR (ended_at IS NULL) OR (NOT (wrap_up_state IS DISTINCT FROM 'pending'::text)))",
)
@Check(
  'calls_status_check',
  "(status = ANY (ARRAY['initiated'::text, 'ringing'::text, 'busy'::text, 'in-progress'::text, 'ended'::text, 'completed'::text, 'ended_by_customer'::text, 'ended_by_assistant'::text, 'no-answer'::text, 'failed'::text]))",
)
@Check('calls_type_check', "(type = ANY (ARRAY['inbound'::text, 'outbound'::text, 'web'::text]))")
@Check('calls_wrap_up_state_check', "(wrap_up_state = ANY (ARRAY['pending'::text, 'done'::text]))")
@Index('calls_account', { synchronize: false })
@Index('calls_status', { synchronize: false })
@Index('calls_type', { synchronize: false })
@Index('calls_assistant', { synchronize: false })
@Index('calls_campaign', { synchronize: false })
@Index('calls_client', { synchronize: false })
@Index('calls_dialled', ['accountId', 'clientPhoneNumber', 'createdAt'], {
  where: "((type = 'outbound'::text) AND (carrier_sid IS NOT NULL))",
})
@Index('calls_callers', ['accountId', 'assistantPhoneNumber', 'createdAt'], {
  where: "(type = 'outbound'::text)",
})
@Index('calls_account_wrap_up', ['accountId', 'wrapUpDueAt', 'id'], {
  where: "(wrap_up_state = 'pending'::text)",
})
@Index('calls_account_check', ['accountId', 'checkAt', 'id'], { where: '(check_at IS NOT NULL)' })
@Index('calls_account_price_check', ['accountId', 'priceCheckAt', 'id'], {
  where: '(price_check_at IS NOT NULL)',
})
@Index('calls_lead', ['leadId'], { where: '(lead_id IS NOT NULL)' })
@Index('calls_transferred', ['campaignId'], { where: "(transfers <> '[]'::jsonb)" })
@Index('calls_visitors', ['assistantId', 'createdAt'], { where: '(visitor IS NOT NULL)' })
@Index('calls_uncounted', ['id'], { where: '(response_counts IS NULL)' })
@Index('calls_running', ['accountId'], { where: '(ended_at IS NULL)' })
@Index('calls_recorded', ['assistantId', 'endedAt'], { where: '(recording_url IS NOT NULL)' })
@Index('calls_with_transcript', ['assistantId', 'endedAt'], {
  where: '((ended_at IS NOT NULL) AND (transcript_deleted_at IS NULL))',
})
@Index('calls_with_variables', ['assistantId', 'endedAt'], {
  where: '((ended_at IS NOT NULL) AND (variables_deleted_at IS NULL))',
})
@Index('calls_unmasked', ['assistantId', 'type', 'endedAt'], {
  where: '((transcript_deleted_at IS NOT NULL) AND (NOT number_masked))',
})
@Index('calls_number_hashes', ['numberHashes'], { type: 'gin', where: '(number_hashes IS NOT NULL)' })
export class Call {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'int' })
  assistantId: number;

  /** Snapshot at the start of the call, as `campaignName`. */
  @Column({ type: 'text' })
  assistantName: string;

  /** The API key that started it, itself or by the start of its campaign; null: none did. */
  @Column({ type: 'int', nullable: true })
  apiKeyId: number | null;

  @Column({ type: 'int', nullable: true })
  campaignId: number | null;

  @Column({ type: 'text', nullable: true })
  campaignName: string | null;

  @Column({ type: 'int', nullable: true })
  leadId: number | null;

  @Column({ type: 'text' })
  type: CallType;

  @Column({ type: 'text', default: 'initiated' })
  status: CallStatus;

  /** Identifies the call in the carrier's callback URLs. Of a web call the hash of the ticket that opens its line. */
  @Column({ type: 'text', unique: true })
  token: string;

  @Column({ type: 'bigint', nullable: true, unique: true })
  requestId: string | null;

  @Column({ type: 'text', nullable: true, unique: true })
  carrierSid: string | null;

  @Column({ type: 'text' })
  assistantPhoneNumber: string;

  @Column({ type: 'text' })
  clientPhoneNumber: string;

  @Column({ type: 'jsonb' })
  variables: Record<string, unknown>;

  /**
   * Key of the address of a web page's visitor without a token; empty after the end of the call. Null for all other
   * calls.
   */
  @Column({ type: 'text', nullable: true })
  visitor: string | null;

  /** Names of the variables that the visitor set. */
  @Column({ type: 'text', array: true, default: [] })
  visitorVariables: string[];

  @Column({ type: 'text', default: 'unknown' })
  answeredBy: AnsweredBy;

  @Column({ type: 'text', nullable: true })
  endedBy: EndedBy | null;

  @Column({ type: 'text', nullable: true })
  endedReason: string | null;

  /** Seconds from answer to end. */
  @Column({ type: 'int', default: 0 })
  duration: number;

  @Column({ type: 'text', default: '' })
  transcript: string;

  @Column({ type: 'jsonb', default: {} })
  evaluation: Record<string, unknown>;

  @Column({ type: 'text', nullable: true })
  evaluationError: string | null;

  /** When the evaluation by the language model succeeded or finally failed. */
  @Column({ type: 'timestamptz', nullable: true })
  evaluatedAt: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  evaluationPlan: EvaluationPlan | null;

  /** Of the last webhook; read only, see `set_webhook_responses`. */
  @VirtualColumn({
    query: (alias) =>
      `coalesce((SELECT response FROM call_webhook_responses WHERE call_id = ${alias}.id), '{}')`,
  })
  webhookResponse: Record<string, unknown>;

  @Column({ type: 'text', array: true, default: [] })
  settingsNotApplied: string[];

  /** Speech providers that failed in the call, oldest first. */
  @Column({ type: 'jsonb', default: [] })
  providerFailures: ProviderFailure[];

  /** Oldest first. */
  @Column({ type: 'jsonb', default: [] })
  transfers: Transfer[];

  @Column({ type: 'text', nullable: true })
  recordingUrl: string | null;

  @Column(bigintColumn())
  pricePerMinuteMicros: bigint;

  @Column(bigintColumn({ default: 0 }))
  carrierCostMicros: bigint;

  @Column(bigintColumn({ default: 0 }))
  totalCostMicros: bigint;

  /** Hold: the maximum cost of the call, reserved until it is charged. */
  @Column(bigintColumn({ default: 0 }))
  holdMicros: bigint;

  /** Maximum duration of the conversation, in seconds. */
  @Column({ type: 'int' })
  maxDuration: number;

  @Column({ type: 'timestamptz', nullable: true })
  checkAt: Date | null;

  /** When the service hangs up, unless the call has ended. Null after the end of the conversation. */
  @Column({ type: 'timestamptz', nullable: true })
  hangUpAt: Date | null;

  /** When call screening or a menu was recognised: a detected machine is not hung up. */
  @Column({ type: 'timestamptz', nullable: true })
  screenedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  priceCheckAt: Date | null;

  @Column({ type: 'text', nullable: true })
  wrapUpState: 'pending' | 'done' | null;

  @Column({ type: 'int', default: 0 })
  wrapUpAttempts: number;

  @Column({ type: 'timestamptz', nullable: true })
  wrapUpDueAt: Date | null;

  /** Claim of the latest process that runs the conversation; earlier ones may not write. */
  @Column({ type: 'int', default: 0 })
  conversationClaim: number;

  /** The last claim with a completely stored conversation. */
  @Column({ type: 'int', default: 0 })
  concludedClaim: number;

  /** Responses by response time, see `RESPONSE_TIME_BOUNDS`; null: not in the statistics yet. */
  @Column({ type: 'int', array: true, nullable: true, select: false })
  responseCounts: number[] | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  answeredAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  /** When the words of the call were removed, also those of its turns and tools. */
  @Column({ type: 'timestamptz', nullable: true })
  transcriptDeletedAt: Date | null;

  /** When its variables and its evaluation were removed. */
  @Column({ type: 'timestamptz', nullable: true })
  variablesDeletedAt: Date | null;

  /** Of `clientPhoneNumber` only the last digits are kept. */
  @Column({ type: 'boolean', default: false, select: false })
  numberMasked: boolean;

  /**
   * Of numbers of the customer that retention has removed, see `NumberHashesService`: erasures and exports of the person
   * find the call. Null: none, or erased.
   */
  @Column({ type: 'text', array: true, nullable: true, select: false })
  numberHashes: string[] | null;

  /** What statistics count in place of a removed evaluation, see `call_evaluation_rest`. */
  @Column({ type: 'jsonb', nullable: true, select: false })
  countedEvaluation: Record<string, unknown> | null;

  /** When what the customer said, and the customer's number, were erased; a recording that arrives later is deleted. */
  @Column({ type: 'timestamptz', nullable: true })
  erasedAt: Date | null;
}
