import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { toStorable } from '#src/common/persistence/storable.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import {
  toUnansweredResponse,
  type ListedQuestion,
  type ListUnansweredDto,
  type UnansweredResponse,
} from './dto/unanswered.dto.js';
import { UnansweredQuestion } from './entities/unanswered-question.entity.js';

/** Of one base, with repetitions; older ones are removed. */
const MAX_QUESTIONS = 5_000;
const MAX_CHARACTERS = 500;

/** The conversation that asks: a call or a text conversation. */
export type Asker = { assistantId: number } & (
  { callId: number; chatId: null } | { callId: null; chatId: number }
);

/** Questions of conversations that the documents of a base did not answer. */
@Injectable()
export class UnansweredQuestionsService {
  constructor(
    @InjectRepository(UnansweredQuestion) private readonly questions: Repository<UnansweredQuestion>,
  ) {}

  /** The same question of several conversations is one. The last asked first. The base is the user's. */
  async listQuestions(
    userId: number,
    knowledgeBaseId: number,
    query: ListUnansweredDto,
  ): Promise<Page<UnansweredResponse>> {
    const ofBase = [userId, knowledgeBaseId];
    const rows: ListedQuestion[] = await this.questions.query(
      `SELECT min(id) AS id, question, count(*)::int AS times, min(created_at) AS "firstAskedAt",
              max(created_at) AS "lastAskedAt"
         FROM unanswered_questions WHERE account_id = $1 AND knowledge_base_id = $2
        GROUP BY question ORDER BY max(id) DESC OFFSET $3 LIMIT $4`,
      [...ofBase, pageOffset(query), query.per_page],
    );
    const [{ total } = { total: 0 }]: { total: number }[] = await this.questions.query(
      `SELECT count(DISTINCT question)::int AS total FROM unanswered_questions
        WHERE account_id = $1 AND knowledge_base_id = $2`,
      ofBase,
    );
    return new Page(rows.map(toUnansweredResponse), total, query);
  }

  async recordQuestion(
    accountId: number,
    baseId: number,
    { assistantId, callId, chatId }: Asker,
    question: string,
  ): Promise<void> {
    const text = toStorable(question.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS));
    if (text === '') return;
    await this.questions.query(
      `INSERT INTO unanswered_questions (account_id, knowledge_base_id, assistant_id, call_id, chat_id, question)
       SELECT account_id, id, $3::int, $4::int, $5::int, $6 FROM knowledge_bases WHERE id = $2 AND account_id = $1`,
      [accountId, baseId, assistantId, callId, chatId, text],
    );
    await this.questions.query(
      `DELETE FROM unanswered_questions WHERE knowledge_base_id = $1 AND id <= (
         SELECT id FROM unanswered_questions WHERE knowledge_base_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [baseId, MAX_QUESTIONS],
    );
  }

  /** What these conversations have asked. @returns how many questions, with repetitions */
  async forgetQuestions(
    tx: EntityManager,
    accountId: number,
    { callIds = [], chatIds = [] }: { callIds?: readonly number[]; chatIds?: readonly number[] },
  ): Promise<number> {
    const [, count] = (await tx.query(
      'DELETE FROM unanswered_questions WHERE account_id = $1 AND (call_id = ANY($2) OR chat_id = ANY($3))',
      [accountId, callIds, chatIds],
    )) as [unknown[], number];
    return count;
  }
}
