import { Injectable } from '@nestjs/common';
import { CallErasureService } from './call-erasure.service.js';
import { ChatErasureService } from './chat-erasure.service.js';
import type { ErasedPerson, ErasureStep, StepResult, Store } from './erasure-step.js';
import { LeadErasureService } from './lead-erasure.service.js';
import { MessageErasureService } from './message-erasure.service.js';
import { RemainsErasureService } from './remains-erasure.service.js';
import { RequestWaitService } from './request-wait.service.js';

/** The steps of an erasure, in their order: what others are found by is erased after them. */
@Injectable()
export class ErasureStepsService implements ErasureStep {
  private readonly steps: readonly ErasureStep[];

  constructor(
    calls: CallErasureService,
    requests: RequestWaitService,
    chats: ChatErasureService,
    messages: MessageErasureService,
    leads: LeadErasureService,
    remains: RemainsErasureService,
  ) {
    this.steps = [calls, requests, chats, messages, leads, remains];
  }

  /** A batch of the first step that has something. `none`: in a whole pass no step had anything. */
  async eraseBatch(person: ErasedPerson, store: Store): Promise<StepResult> {
    for (const step of this.steps) {
      const result = await step.eraseBatch(person, store);
      if (result !== 'none') return result;
    }
    return 'none';
  }
}
