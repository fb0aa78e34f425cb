import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A question of a conversation for which a base had no passage. */
@Entity('unanswered_questions')
@Unique(['knowledgeBaseId', 'question'])
@Index('unanswered_questions_base', { synchronize: false })
export class UnansweredQuestion {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('knowledge_bases', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  knowledgeBaseId: number;

  @Column({ type: 'text' })
  question: string;

  @Column({ type: 'int', default: 1 })
  times: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  lastAskedAt: Date;
}
