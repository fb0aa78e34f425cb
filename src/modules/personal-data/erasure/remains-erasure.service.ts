import { Injectable } from '@nestjs/common';
import { numberPattern, type Person } from '#src/common/personal-data.js';
import { PendingEventsService } from '#src/events/pending-events.service.js';
import { CallsPersonalDataService } from '../../calls/personal-data/calls-personal-data.service.js';
import { ErasedNumbersService } from '../../suppressions/erased-numbers.service.js';
import { WebhooksPersonalDataService } from '../../webhooks/webhooks-personal-data.service.js';
import { AnswerErasureService } from './answer-erasure.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';

/** Erases what is left when calls, conversations, messages and leads are erased. */
@Injectable()
export class RemainsErasureService implements ErasureStep {
  constructor(
    private readonly answers: AnswerErasureService,
    private readonly suppressions: ErasedNumbersService,
    private readonly events: PendingEventsService,
    private readonly calls: CallsPersonalDataService,
    private readonly deliveries: WebhooksPersonalDataService,
  ) {}

  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    const pattern = numberPattern(person);
    await this.answers.eraseMatching(person, pattern, store);
    for await (const deliveryIds of this.deliveries.findNaming(person)) {
      if (await this.deliveries.stop({ deliveryIds })) return { waitsFor: 'deliveries' };
      await store(async (tx) => ({ deliveries: await this.deliveries.erase(tx, { deliveryIds }) }));
    }
    await store(async (tx) => ({
      suppressions: await this.suppressions.eraseEntries(tx, person),
      event_errors: await this.events.eraseErrors(tx, person.accountId, pattern),
    }));
    return (await this.calls.forgetStatistics(person)) ? 'none' : { waitsFor: 'statistics' };
  }
}
