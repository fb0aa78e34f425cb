import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Person, PersonalDataCounts } from '#src/common/personal-data.js';
import { StoredAnswersService } from '#src/http/idempotency/stored-answers.service.js';
import type { PersonalCall } from '../../calls/personal-data/calls-personal-data.service.js';
import { AttemptsPersonalDataService } from '../../dialer/attempts-personal-data.service.js';
import { UnansweredQuestionsService } from '../../knowledge/unanswered-questions.service.js';

/** Erases what other modules keep of calls: attempts, questions without an answer, requests that have placed them. */
@Injectable()
export class CallTracesService {
  constructor(
    private readonly attempts: AttemptsPersonalDataService,
    private readonly questions: UnansweredQuestionsService,
    private readonly answers: StoredAnswersService,
  ) {}

  async erase(
    tx: EntityManager,
    person: Person,
    calls: readonly PersonalCall[],
  ): Promise<PersonalDataCounts> {
    const ids = calls.map(({ id }) => id);
    await this.attempts.erase(tx, person, ids);
    const questions = await this.questions.forgetQuestions(tx, person.accountId, { callIds: ids });
    const requestIds = calls.flatMap(({ requestId }) => requestId ?? []);
    return {
      questions,
      stored_answers: await this.answers.eraseRequests(tx, person.accountId, requestIds),
    };
  }
}
