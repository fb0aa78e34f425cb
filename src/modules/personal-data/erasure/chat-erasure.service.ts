import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data.js';
import { PendingEventsService } from '#src/events/pending-events.service.js';
import { ChatsPersonalDataService } from '../../chats/chats-personal-data.service.js';
import { UnansweredQuestionsService } from '../../knowledge/unanswered-questions.service.js';
import { WebhooksPersonalDataService } from '../../webhooks/webhooks-personal-data.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';
import { AnswerErasureService } from './answer-erasure.service.js';

/** Erases text conversations of the person, a batch of them with all that belongs to them. */
@Injectable()
export class ChatErasureService implements ErasureStep {
  constructor(
    private readonly chats: ChatsPersonalDataService,
    private readonly answers: AnswerErasureService,
    private readonly questions: UnansweredQuestionsService,
    private readonly deliveries: WebhooksPersonalDataService,
    private readonly events: PendingEventsService,
  ) {}

  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    if (await this.chats.endRunning(person)) return { waitsFor: 'conversations' };
    const chats = await this.chats.findEnded(person);
    if (chats.length === 0) return 'none';
    const chatIds = chats.map(({ id }) => id);
    if (await this.events.isPending(person.accountId, 'chatId', chatIds)) return { waitsFor: 'events' };
    if (await this.deliveries.stop({ chatIds })) return { waitsFor: 'deliveries' };
    // Answers of a conversation have its id.
    await this.answers.eraseMatching(person, chats.map(({ uuid }) => uuid).join('|'), store);
    await store(async (tx) => {
      const questions = await this.questions.forgetQuestions(tx, person.accountId, { chatIds });
      const deliveries = await this.deliveries.erase(tx, { chatIds });
      return { ...(await this.chats.erase(tx, chatIds)), questions, deliveries };
    });
    return 'more';
  }
}
