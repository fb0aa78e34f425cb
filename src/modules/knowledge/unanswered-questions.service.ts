import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { toStorable } from '#src/common/persistence/storable.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import {
  toUnansweredResponse,
  type ListUnansweredDto,
  type UnansweredResponse,
} from './dto/unanswered.dto.js';
import { UnansweredQuestion } from './entities/unanswered-question.entity.js';

/** Of one base; older ones are removed. */
const MAX_QUESTIONS = 1_000;
const MAX_CHARACTERS = 500;

/** Questions of conversations that the documents of a base did not answer. */
@Injectable()
export class UnansweredQuestionsService {
  constructor(
    @InjectRepository(UnansweredQuestion) private readonly questions: Repository<UnansweredQuestion>,
  ) {}

  /** The last asked first. The base is the user's. */
  async listQuestions(
    userId: number,
    knowledgeBaseId: number,
    query: ListUnansweredDto,
  ): Promise<Page<UnansweredResponse>> {
    const [rows, total] = await this.questions.findAndCount({
      where: { accountId: userId, knowledgeBaseId },
      order: { lastAskedAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(rows.map(toUnansweredResponse), total, query);
  }

  /** The same question in other conversations is counted. */
  async recordQuestion(accountId: number, baseId: number, question: string): Promise<void> {
    const text = toStoredQuestion(question);
    if (text === '') return;
    await this.questions.query(
      `INSERT INTO unanswered_questions (account_id, knowledge_base_id, question)
       SELECT account_id, id, $3 FROM knowledge_bases WHERE id = $2 AND account_id = $1
       ON CONFLICT (knowledge_base_id, question)
         DO UPDATE SET times = unanswered_questions.times + 1, last_asked_at = now()`,
      [accountId, baseId, text],
    );
    await this.questions.query(
      `DELETE FROM unanswered_questions WHERE id IN (
         SELECT id FROM unanswered_questions WHERE knowledge_base_id = $1
          ORDER BY last_asked_at DESC, id DESC OFFSET $2)`,
      [baseId, MAX_QUESTIONS],
    );
  }

  /**
   * Takes questions back: one that nobody else has asked is deleted.
   * @param asked as in `recordQuestion`, each as often as it was asked
   * @returns how many are no longer stored
   */
  async forgetQuestions(tx: EntityManager, accountId: number, asked: readonly string[]): Promise<number> {
    const texts = asked.map(toStoredQuestion);
    await tx.query(
      `UPDATE unanswered_questions stored SET times = stored.times - given.n
         FROM (SELECT question, count(*)::int AS n FROM unnest($2::text[]) AS one (question) GROUP BY 1) given
        WHERE stored.account_id = $1 AND stored.question = given.question`,
      [accountId, texts],
    );
    const [, count] = (await tx.query(
      'DELETE FROM unanswered_questions WHERE account_id = $1 AND times <= 0 AND question = ANY($2)',
      [accountId, texts],
    )) as [unknown[], number];
    return count;
  }
}

const toStoredQuestion = (question: string): string =>
  toStorable(question.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS));
