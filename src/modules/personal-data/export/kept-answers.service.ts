import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { numberPattern, type Person } from '#src/common/personal-data.js';
import { StoredAnswersService } from '#src/http/idempotency/stored-answers.service.js';
import { ErasedNumbersService } from '../../suppressions/erased-numbers.service.js';

/** Answers of idempotency keys and suppressions that have the person's number. */
@Injectable()
export class KeptAnswersService {
  constructor(
    private readonly db: DataSource,
    private readonly answers: StoredAnswersService,
    private readonly suppressions: ErasedNumbersService,
  ) {}

  async *readAnswers(person: Person): AsyncGenerator<object> {
    const pattern = numberPattern(person);
    let after: string | null = null;
    do {
      const { last, found } = await this.answers.findMatching(person.accountId, pattern, after);
      yield* await this.answers.readAnswers(person.accountId, found);
      after = last;
    } while (after !== null);
  }

  async *readSuppressions(person: Person): AsyncGenerator<object> {
    yield* await this.suppressions.readEntries(this.db.manager, person);
  }
}
