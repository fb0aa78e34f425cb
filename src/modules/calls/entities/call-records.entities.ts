import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { ToolRun, CallTurnView } from '../call.view.js';
import type { CallStatus, CallType } from '../states/call-states.js';

/** A turn of one side, stored when it was heard. */
@Entity('call_turns')
@Check('call_turns_role_check', "(role = ANY (ARRAY['assistant'::text, 'customer'::text]))")
@Check('call_turns_kind_check', "(kind = ANY (ARRAY['speech'::text, 'filler'::text]))")
export class CallTurn {
  @ForeignKey('calls', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  callId: number;

  /** Counts together with those of the tool runs. */
  @PrimaryColumn({ type: 'int' })
  seq: number;

  @Column({ type: 'text' })
  role: CallTurnView['role'];

  @Column({ type: 'text', default: 'speech' })
  kind: CallTurnView['kind'];

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'boolean', default: false })
  interrupted: boolean;

  @Column({ type: 'jsonb', default: {} })
  timings: CallTurnView['timings'];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/** Tokens of one response of a language model during a call. */
@Entity('call_model_usages')
@Index('call_model_usages_call_id_idx', ['callId'])
export class CallModelUsage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @ForeignKey('calls', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  callId: number;

  /** Of the last turn or tool run before the end of the response; 0 for none. */
  @Column({ type: 'int' })
  afterSeq: number;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'int' })
  promptTokens: number;

  @Column({ type: 'int' })
  cachedTokens: number;

  @Column({ type: 'int' })
  completionTokens: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/** One use of a tool during a call. */
@Entity('call_tool_runs')
@Unique(['callId', 'seq'])
export class CallToolRun {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @ForeignKey('calls', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  callId: number;

  @Column({ type: 'int' })
  seq: number;

  @Column({ type: 'text' })
  toolName: string;

  @Column({ type: 'jsonb' })
  arguments: ToolRun['arguments'];

  /** The result that the model received. */
  @Column({ type: 'text' })
  answer: string;

  @Column({ type: 'boolean' })
  ok: boolean;

  @Column({ type: 'int', nullable: true })
  statusCode: number | null;

  @Column({ type: 'int' })
  durationMs: number;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/**
 * A change of the number of calls with these values, or a sum of changes. Written by a trigger on `calls` and by
 * CallCountersService.
 */
@Entity('call_tallies')
@Index('call_tallies_account', ['accountId', 'day'])
@Index('call_tallies_new', ['accountId', 'day'], { where: '(NOT is_sum)' })
@Index('call_tallies_campaign', ['campaignId'], { where: '(campaign_id IS NOT NULL)' })
export class CallCounter {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ type: 'int' })
  accountId: number;

  /** `YYYY-MM-DD` in UTC. */
  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'int' })
  assistantId: number;

  @Column({ type: 'int', nullable: true })
  campaignId: number | null;

  @Column({ type: 'text' })
  type: CallType;

  @Column({ type: 'text' })
  status: CallStatus;

  /** Negative for calls that changed their values. */
  @Column({ type: 'int' })
  n: number;
  /** Whether the row is the sum of others. */
  @Column({ type: 'boolean', default: false })
  isSum: boolean;
}

/** Counters of results in a campaign's calls, kept by triggers on `calls` and `call_tool_runs`. */
@Entity('call_result_counts')
@Check('call_result_counts_kind_check', "(kind = ANY (ARRAY['transfer'::text, 'action'::text]))")
export class CallResultCount {
  @PrimaryColumn({ type: 'int' })
  campaignId: number;

  @PrimaryColumn({ type: 'text' })
  kind: 'transfer' | 'action';

  /** The status of transfers; the tool of an action, whose calls count. */
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** As in `lead_counts`. */
  @PrimaryColumn({ type: 'int' })
  part: number;

  @Column({ type: 'int' })
  n: number;
}

/** The last webhook response of a call; written by `set_webhook_responses`, removed with the call by a trigger. */
@Entity('call_webhook_responses')
export class CallWebhookResponse {
  @PrimaryColumn({ type: 'int' })
  callId: number;

  @Column({ type: 'jsonb' })
  response: Record<string, unknown>;
}
