import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { storedTicket } from '#src/modules/calls/states/web-call-ticket.js';
import { WebCallStateService, type LineAdmission } from '#src/modules/calls/states/web-call-state.service.js';
import { WebCallBudgetService } from './web-call-budget.service.js';

/** Opens the lines of web calls; those of visitors only where there is a slot and money for them. */
@Injectable()
export class LineOpeningsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly assistants: AssistantsService,
    private readonly states: WebCallStateService,
    private readonly budget: WebCallBudgetService,
  ) {}

  /** The call whose line is opened with this token; null: none waits for it. `refused`: it is over without a line. */
  async openLine(token: string): Promise<CallView | 'refused' | null> {
    const waiting = await this.calls.findByToken(storedTicket(token));
    if (!waiting?.visitor || waiting.status !== 'initiated') return this.states.openLine(token, null);
    const { accountId, assistantId, holdMicros } = waiting;
    const assistant = await this.assistants.assistantView(accountId, assistantId);
    const admit = async (tx: EntityManager): Promise<LineAdmission> =>
      assistant ? this.budget.admitLine(tx, assistant, holdMicros) : 'plan_limit';
    return this.states.openLine(token, { accountId, admit });
  }
}
