import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { KnowledgeChunk } from './knowledge.entities.js';

/** The vectors of a base by one model. A base has one that is searched, and one that replaces it when it is complete. */
@Entity('knowledge_vector_indexes')
@Check('knowledge_vector_indexes_state_check', "(state = ANY (ARRAY['building'::text, 'active'::text]))")
@Index('knowledge_vector_indexes_model', ['knowledgeBaseId', 'model', 'wantedDimensions'], { unique: true })
@Index('knowledge_vector_indexes_active', ['knowledgeBaseId'], {
  unique: true,
  where: "(state = 'active'::text)",
})
@Index('knowledge_vector_indexes_due', ['accountId', 'dueAt', 'id'], { where: '(due_at IS NOT NULL)' })
export class KnowledgeVectorIndex {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('knowledge_bases', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  knowledgeBaseId: number;

  @Column({ type: 'text' })
  model: string;

  /** Of the setting; 0: those of the model. */
  @Column({ type: 'int' })
  wantedDimensions: number;

  /** Of its vectors; null: it has none yet. */
  @Column({ type: 'int', nullable: true })
  dimensions: number | null;

  @Column({ type: 'text', default: 'building' })
  state: 'building' | 'active';

  /** Why the last attempt ended; null: it did not. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;

  /** When a process may work on it; null: every passage has its vector. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  @Column({ type: 'int', default: 0 })
  claims: number;

  /** Failed ones in a row. */
  @Column({ type: 'int', default: 0 })
  attempts: number;
}

/** The vectors of up to 32 passages in a row; they go with the first of them, when the document is read again. */
@Entity('knowledge_vectors')
@Index('knowledge_vectors_chunk', ['documentId', 'seq'])
@ForeignKey(() => KnowledgeChunk, ['documentId', 'seq'], ['documentId', 'seq'], { onDelete: 'CASCADE' })
export class KnowledgeVectors {
  @ForeignKey('knowledge_vector_indexes', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  indexId: number;

  @PrimaryColumn({ type: 'int' })
  documentId: number;

  /** Of the first passage. */
  @PrimaryColumn({ type: 'int' })
  seq: number;

  /** Signed bytes: those of the first passage, of the second, and so on; see `toBytes`. */
  @Column({ type: 'bytea' })
  vectors: Buffer;
}
