import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Generated,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import type { EvaluationPlan } from '../../calls/call.view.js';
import type { ChatState, ChatType, FunctionCall } from '../chat.types.js';

/** A text conversation with an assistant. */
@Entity('chats')
@Check('chats_type_check', "(type = ANY (ARRAY['widget'::text, 'test'::text, 'api'::text]))")
@Check('chats_state_check', "(state = ANY (ARRAY['active'::text, 'ended'::text]))")
@Index('chats_account', { synchronize: false })
@Index('chats_account_customer', { synchronize: false })
@Index('chats_active_customer', ['assistantId', 'externalIdentifier'], {
  unique: true,
  where: "((external_identifier IS NOT NULL) AND (state = 'active'::text))",
})
@Index('chats_request', ['assistantId', 'requestKey'], {
  unique: true,
  where: '(request_key IS NOT NULL)',
})
@Index('chats_with_content', ['assistantId', 'updatedAt'], {
  where: "((state = 'ended'::text) AND (content_deleted_at IS NULL))",
})
@Index('chats_account_turn', ['accountId', 'turnDueAt', 'id'], { where: '(turn_due_at IS NOT NULL)' })
@Index('chats_account_end', ['accountId', 'endDueAt', 'id'], { where: '(end_due_at IS NOT NULL)' })
export class Chat {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** Grants access to read and write. */
  @Generated('uuid')
  @Column({ type: 'uuid', unique: true })
  uuid: string;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('assistants')
  @Column({ type: 'int' })
  assistantId: number;

  /** As it was at the start. */
  @Column({ type: 'text' })
  assistantName: string;

  @Column({ type: 'text' })
  type: ChatType;

  @Column({ type: 'jsonb' })
  variables: Record<string, unknown>;

  /** Somebody without a token of the account began it. */
  @Column({ type: 'boolean', default: false })
  byVisitor: boolean;

  /** Names of the variables that the visitor set. */
  @Column({ type: 'text', array: true, default: [] })
  visitorVariables: string[];

  /** The client's identifier of its customer; null: not given. */
  @Column({ type: 'text', nullable: true })
  externalIdentifier: string | null;

  /** Whether the assistant answers; else messages are only kept. */
  @Column({ type: 'boolean', default: true })
  aiEnabled: boolean;

  /** Without a message for so many minutes it ends; as the assistant's setting was at the start. */
  @Column({ type: 'int', default: 10 })
  silenceMinutes: number;

  /** Hash of the `Idempotency-Key` and who sent it; null: the request had none. */
  @Column({ type: 'text', nullable: true })
  requestKey: string | null;

  /** Of the request with that key. */
  @Column({ type: 'text', nullable: true })
  requestHash: string | null;

  /** Of a message, as it was at the start. */
  @Column(bigintColumn())
  priceMicros: bigint;

  @Column(bigintColumn({ default: 0 }))
  totalCostMicros: bigint;

  @Column({ type: 'text', default: 'active' })
  state: ChatState;

  @Column({ type: 'text', nullable: true })
  endedReason: string | null;

  /** Of both sides. */
  @Column({ type: 'int', default: 0 })
  messageCount: number;

  /** `seq` of the customer's last message; 0: there is none. */
  @Column({ type: 'int', default: 0 })
  askedSeq: number;

  /** `seq` of the last message that was answered. */
  @Column({ type: 'int', default: 0 })
  answeredSeq: number;

  /** When messages that wait may be answered, at the end of a process's lease at the latest; null: none wait. */
  @Column({ type: 'timestamptz', nullable: true })
  turnDueAt: Date | null;

  @Column({ type: 'int', default: 0 })
  turnClaims: number;

  /** When it ends for want of messages, or when its end is to be worked on; null: it is final. */
  @Column({ type: 'timestamptz', nullable: true })
  endDueAt: Date | null;

  @Column({ type: 'int', default: 0 })
  endClaims: number;

  /** As the assistant's settings were at the start; null: no evaluation. */
  @Column({ type: 'jsonb', nullable: true })
  evaluationPlan: EvaluationPlan | null;

  /** Keyed by the names of the post-call schema; null before the end. */
  @Column({ type: 'jsonb', nullable: true })
  evaluation: Record<string, unknown> | null;

  @Column({ type: 'text', nullable: true })
  evaluationError: string | null;

  @Column({ type: 'int', default: 0 })
  evaluationAttempts: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt: Date | null;

  /** When its messages, its variables, its evaluation and its customer's identifier were removed. */
  @Column({ type: 'timestamptz', nullable: true })
  contentDeletedAt: Date | null;
}

/** A message of the customer with its answer; the greeting, which answers nothing, has `seq` 0. */
@Entity('chat_turns')
@Index('chat_turns_visitors', ['visitorAssistantId', 'createdAt'], {
  where: '(visitor_assistant_id IS NOT NULL)',
})
export class ChatTurn {
  @ForeignKey('chats', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  chatId: number;

  @PrimaryColumn({ type: 'int' })
  seq: number;

  @Column({ type: 'text', nullable: true })
  message: string | null;

  @Column({ type: 'text', nullable: true })
  answer: string | null;

  @Column({ type: 'jsonb', default: [] })
  functionCalls: FunctionCall[];

  /** Hash of the `Idempotency-Key`; null: the request had none. */
  @Column({ type: 'text', nullable: true })
  requestKey: string | null;

  /** The API key that sent it; null: none, as of visitors. */
  @Column({ type: 'int', nullable: true })
  apiKeyId: number | null;

  /** The assistant whose visitor sent it; null: somebody with a token of the account. */
  @Column({ type: 'int', nullable: true })
  visitorAssistantId: number | null;

  /** Zero again when the cost was given back. */
  @Column(bigintColumn({ default: 0 }))
  costMicros: bigint;

  /** How often a process began to answer it. */
  @Column({ type: 'int', default: 0 })
  tries: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  answeredAt: Date | null;

  /** When the answer was sent to the client in full. */
  @Column({ type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;
}
