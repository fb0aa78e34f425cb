import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { KnowledgeBase } from './entities/knowledge.entities.js';
import { KnowledgeSearchService, type FoundChunk } from './retrieval/knowledge-search.service.js';
import { UnansweredQuestionsService, type Asker } from './unanswered-questions.service.js';

const PASSAGES = 3;
/** A passage with less of a question is no answer; see `FoundChunk.coverage`. */
const MIN_COVERAGE = 0.25;
/** In prompt mode, of a base: what a model reads before every answer. */
export const MAX_PROMPT_TOKENS = 8_000;
/** Of most languages; others have more tokens. */
const CHARACTERS_PER_TOKEN = 4;

/** A passage and its source. */
export interface KnowledgePassage {
  document: string;
  /** Title and headings above it. */
  section: string;
  page: number | null;
  url: string | null;
  text: string;
}

/** `tokens`: about how many the whole text has. */
export interface BaseSize {
  id: number;
  tokens: number;
}

/** The base of an assistant, for a conversation. */
export interface AssistantKnowledge {
  name: string;
  description: string | null;
  /** The whole text, in prompt mode; null where it is searched. */
  text: string | null;
  /** Notes a question that has no passage. */
  search(question: string): Promise<KnowledgePassage[]>;
}

/** `asStored`: a question as the conversation stores it. */
export type AskingConversation = Asker & { asStored(question: string): string };

/** What assistants know of their base. */
@Injectable()
export class AssistantKnowledgeService {
  private readonly logger = new Logger(AssistantKnowledgeService.name);

  constructor(
    private readonly db: DataSource,
    private readonly knowledge: KnowledgeSearchService,
    private readonly unanswered: UnansweredQuestionsService,
  ) {}

  /** Null: there is no such base any more. A base that has outgrown the prompt is searched. */
  async openBase(
    accountId: number,
    id: number,
    mode: 'function_call' | 'prompt',
    conversation: AskingConversation,
  ): Promise<AssistantKnowledge | null> {
    const base = await this.db.manager.findOneBy(KnowledgeBase, { id, accountId });
    if (!base) return null;
    const { name, description } = base;
    return {
      name,
      description,
      text: mode === 'prompt' ? await this.readText(id) : null,
      search: (question) => this.search(base, question, conversation),
    };
  }

  /** Null: it is none of the account's. */
  async findBaseSize(accountId: number, id: number): Promise<BaseSize | null> {
    const [row] = (await this.db.query(
      `SELECT (SELECT coalesce(sum(length(chunk.text)), 0)::int
                 FROM knowledge_documents document JOIN knowledge_chunks chunk ON chunk.document_id = document.id
                WHERE document.knowledge_base_id = base.id) AS characters
         FROM knowledge_bases base WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    )) as { characters: number }[];
    return row ? { id, tokens: Math.ceil(row.characters / CHARACTERS_PER_TOKEN) } : null;
  }

  /** Of the base that an assistant has. */
  async findBaseSizeOfAssistant(accountId: number, assistantId: number): Promise<BaseSize | null> {
    const [row] = (await this.db.query(
      'SELECT knowledgebase_id AS id FROM assistant_knowledge WHERE account_id = $1 AND assistant_id = $2',
      [accountId, assistantId],
    )) as { id: number }[];
    return row ? this.findBaseSize(accountId, row.id) : null;
  }

  private async search(
    base: KnowledgeBase,
    question: string,
    conversation: AskingConversation,
  ): Promise<KnowledgePassage[]> {
    const found = await this.knowledge.search(base, question, PASSAGES);
    const passages = found.filter(mayAnswer).map(toPassage);
    if (passages.length === 0) {
      await this.unanswered
        .recordQuestion(base.accountId, base.id, conversation, conversation.asStored(question))
        .catch((error: unknown) => this.logger.warn('A question was not noted', describeError(error)));
    }
    return passages;
  }

  /** Null: it has no text, or more than a prompt takes. */
  private async readText(id: number): Promise<string | null> {
    const rows = (await this.db.query(
      `SELECT document.name, chunk.headings, chunk.text
         FROM knowledge_documents document JOIN knowledge_chunks chunk ON chunk.document_id = document.id
        WHERE document.knowledge_base_id = $1 ORDER BY document.id, chunk.seq LIMIT $2`,
      [id, MAX_PROMPT_TOKENS],
    )) as { name: string; headings: string[]; text: string }[];
    const texts = rows.map(({ name, headings, text }) => `[${[name, ...headings].join(' > ')}]\n${text}`);
    const characters = rows.reduce((sum, { text }) => sum + text.length, 0);
    if (rows.length === 0 || characters > MAX_PROMPT_TOKENS * CHARACTERS_PER_TOKEN) return null;
    return texts.join('\n\n');
  }
}

/** What is found by vectors alone has the least similarity of the settings. */
const mayAnswer = ({ coverage, similarity }: FoundChunk): boolean =>
  coverage >= MIN_COVERAGE || similarity !== null;

function toPassage({ documentName, title, headings, page, url, text }: FoundChunk): KnowledgePassage {
  // Often it is the first heading, too.
  const isNamed = title === null || title === documentName || title === headings[0];
  const section = [...(isNamed ? [] : [title]), ...headings].join(' > ');
  return { document: documentName, section, page, url, text };
}
