import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data.js';
import { StoredAnswersService } from '#src/http/idempotency/stored-answers.service.js';
import type { Store } from './erasure-step.js';

/** Erases answers of idempotency keys by what they have. */
@Injectable()
export class AnswerErasureService {
  constructor(private readonly answers: StoredAnswersService) {}

  /** All of the account's, in batches. @param pattern a regular expression of PostgreSQL */
  async eraseMatching({ accountId }: Person, pattern: string, store: Store): Promise<void> {
    let after: string | null = null;
    do {
      const { last, found } = await this.answers.findMatching(accountId, pattern, after);
      if (found.length > 0)
        await store(async (tx) => ({
          stored_answers: await this.answers.eraseKeys(tx, accountId, found),
        }));
      after = last;
    } while (after !== null);
  }
}
