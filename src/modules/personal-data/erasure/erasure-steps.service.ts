import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data.js';
import { CallErasureService } from './call-erasure.service.js';
import { ChatErasureService } from './chat-erasure.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';
import { LeadErasureService } from './lead-erasure.service.js';
import { MessageErasureService } from './message-erasure.service.js';
import { RemainsErasureService } from './remains-erasure.service.js';

/** The steps of an erasure, in their order: what others are found by is erased after them. */
@Injectable()
export class ErasureStepsService implements ErasureStep {
  private readonly steps: readonly ErasureStep[];

  constructor(
    calls: CallErasureService,
    chats: ChatErasureService,
    messages: MessageErasureService,
    leads: LeadErasureService,
    remains: RemainsErasureService,
  ) {
    this.steps = [calls, chats, messages, leads, remains];
  }

  /** A batch of the first step that has something. `none`: in a whole pass no step had anything. */
  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    for (const step of this.steps) {
      const result = await step.eraseBatch(person, store);
      if (result !== 'none') return result;
    }
    return 'none';
  }
}
