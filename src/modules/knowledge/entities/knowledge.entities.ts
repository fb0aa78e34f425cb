import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import type { BaseState, DocumentState, DocumentType, KnowledgeLanguage } from '../knowledge.types.js';

/** Documents that an assistant answers from. */
@Entity('knowledge_bases')
@Index('knowledge_bases_account', { synchronize: false })
export class KnowledgeBase {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** ISO 639-1: how words are reduced to their stems. */
  @Column({ type: 'text', default: 'en' })
  language: KnowledgeLanguage;

  /** Grows with every change of what is searched. */
  @Column({ type: 'int', default: 0 })
  revision: number;

  @VirtualColumn({
    query: (alias) =>
      `(SELECT CASE WHEN count(*) = 0 THEN 'empty' WHEN bool_or(state = 'processing') THEN 'processing'
               WHEN bool_or(state = 'active') THEN 'active' ELSE 'failed' END
          FROM knowledge_documents WHERE knowledge_base_id = ${alias}.id)`,
  })
  state: BaseState;

  @VirtualColumn({
    query: (alias) => `(SELECT count(*)::int FROM knowledge_documents WHERE knowledge_base_id = ${alias}.id)`,
  })
  documentsCount: number;

  /** Those that are not deleted. Read only, from a view of the assistants' module. */
  @VirtualColumn({
    query: (alias) => `(SELECT count(*)::int FROM assistant_knowledge WHERE knowledgebase_id = ${alias}.id)`,
  })
  assistantsCount: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** A file or a website. */
@Entity('knowledge_documents')
@Check(
  'knowledge_documents_type_check',
  "(type = ANY (ARRAY['website'::text, 'pdf'::text, 'txt'::text, 'docx'::text]))",
)
@Check(
  'knowledge_documents_state_check',
  "(state = ANY (ARRAY['processing'::text, 'active'::text, 'failed'::text]))",
)
@Index('knowledge_documents_base', { synchronize: false })
@Index('knowledge_documents_due', ['accountId', 'dueAt', 'id'], { where: '(due_at IS NOT NULL)' })
export class KnowledgeDocument {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @ForeignKey('knowledge_bases', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  knowledgeBaseId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text' })
  type: DocumentType;

  /** Of a website. */
  @Column({ type: 'text', array: true, default: [] })
  links: string[];

  /** Pages of a website that are read besides the links. */
  @Column({ type: 'int', default: 0 })
  relativeLinksLimit: number;

  @Column({ type: 'text', default: 'processing' })
  state: DocumentState;

  /** Why it has failed, for people; null in other states. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;

  /** Of the file, or of the website's text. */
  @Column({ type: 'int', default: 0 })
  sizeBytes: number;

  @Column({ type: 'int', default: 0 })
  chunksCount: number;

  /** When a process may work on it, at the end of another one's lease at the latest; null: nothing is to be done. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  @Column({ type: 'int', default: 0 })
  claims: number;

  /** Claims since it was created or refreshed. */
  @Column({ type: 'int', default: 0 })
  attempts: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** The chunks of a document that have a word, which is reduced as the base's language says. */
@Entity('knowledge_terms')
@Index('knowledge_terms_base', ['knowledgeBaseId', 'lexeme'])
export class KnowledgeTerm {
  @ForeignKey('knowledge_documents', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  documentId: number;

  /** Compared by its bytes, so that an index finds beginnings of words. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  lexeme: string;

  @Column({ type: 'int' })
  knowledgeBaseId: number;

  @Column({ type: 'int' })
  chunks: number;

  /** In which chunks it stands, and how much it counts there; see `readPostings`. */
  @Column({ type: 'bytea' })
  postings: Buffer;
}

/** An uploaded file, until its document is processed. */
@Entity('knowledge_files')
export class KnowledgeFile {
  @ForeignKey('knowledge_documents', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  documentId: number;

  @Column({ type: 'bytea' })
  content: Buffer;
}

/** A passage of a document, written once: a document that is read again gets new ones. */
@Entity('knowledge_chunks')
@Index('knowledge_chunks_search', ['search'], { type: 'gin' })
export class KnowledgeChunk {
  @ForeignKey('knowledge_documents', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  documentId: number;

  /** In reading order, from 1. */
  @PrimaryColumn({ type: 'int' })
  seq: number;

  @Column({ type: 'int' })
  knowledgeBaseId: number;

  /** Of the page or the document. */
  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column({ type: 'text' })
  text: string;

  /** Headings above it, outermost first. */
  @Column({ type: 'text', array: true })
  headings: string[];

  /** From 1; null: the document has no pages. */
  @Column({ type: 'int', nullable: true })
  page: number | null;

  /** Of the page of a website. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  /** Its words: weight A of the title, B of the headings, D of the text; and the marker of its base. */
  @Column({ type: 'tsvector', select: false })
  search: string;
}
