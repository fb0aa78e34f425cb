import { Injectable } from '@nestjs/common';
import { StoredAnswersService } from '#src/http/idempotency/stored-answers.service.js';
import type { ErasedPerson, ErasureStep, StepResult } from './erasure-step.js';

/** Waits for requests that began before the erasure: the answers that are stored for their keys may have the number. */
@Injectable()
export class RequestWaitService implements ErasureStep {
  constructor(private readonly answers: StoredAnswersService) {}

  async eraseBatch({ accountId, requestedAt }: ErasedPerson): Promise<StepResult> {
    return (await this.answers.hasUnanswered(accountId, requestedAt)) ? { waitsFor: 'requests' } : 'none';
  }
}
