import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A question of a conversation for which a base had no passage, each time that it was asked. */
@Entity('unanswered_questions')
@Check('unanswered_questions_asker_check', '((call_id IS NULL) <> (chat_id IS NULL))')
@Index('unanswered_questions_base', ['knowledgeBaseId', 'id'])
@Index('unanswered_questions_assistant', ['assistantId', 'createdAt'])
@Index('unanswered_questions_call', ['callId'], { where: '(call_id IS NOT NULL)' })
@Index('unanswered_questions_chat', ['chatId'], { where: '(chat_id IS NOT NULL)' })
export class UnansweredQuestion {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('knowledge_bases', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  knowledgeBaseId: number;

  /** Of the conversation: its retention holds. */
  @Column({ type: 'int' })
  assistantId: number;

  /** Null: a text conversation asked. */
  @Column({ type: 'int', nullable: true })
  callId: number | null;

  /** Null: a call asked. */
  @Column({ type: 'int', nullable: true })
  chatId: number | null;

  @Column({ type: 'text' })
  question: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
