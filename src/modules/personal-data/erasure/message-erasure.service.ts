import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data.js';
import { StoredAnswersService } from '#src/http/idempotency/stored-answers.service.js';
import { SmsPersonalDataService } from '../../sms/sms-personal-data.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';

/** Erases text messages to the person. */
@Injectable()
export class MessageErasureService implements ErasureStep {
  constructor(
    private readonly messages: SmsPersonalDataService,
    private readonly answers: StoredAnswersService,
  ) {}

  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    if (await this.messages.hasPending(person)) return { waitsFor: 'messages' };
    const messages = await this.messages.findSettled(person);
    if (messages.length === 0) return 'none';
    if (!(await this.messages.deleteAtCarrier(messages))) return { waitsFor: 'messages' };
    const requestIds = messages.flatMap(({ requestId }) => requestId ?? []);
    await store(async (tx) => ({
      messages: await this.messages.erase(tx, person, messages),
      stored_answers: await this.answers.eraseRequests(tx, person.accountId, requestIds),
    }));
    return 'more';
  }
}
