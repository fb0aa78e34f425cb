import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { currentKeyId } from '#src/common/work-context.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AuditService } from '../audit/audit.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { evaluationPlanOf, type AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { allowedVariables } from '../assistants/widget-settings.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { NewCall } from '../calls/call.view.js';
import { WEB_CALL_TICKET_SECONDS } from '#src/modules/calls/states/web-call-state.service.js';
import { CallSpeechService } from '../conversations/call-speech.service.js';
import { CallRefused } from '../dialer/dialer.errors.js';
import { WebCallBudgetService } from './web-call-budget.service.js';
import type { BeginUserWebCallDto, BeginWebCallDto } from './dto/web-call-input.dto.js';
import {
  toWidgetResponse,
  type LineKind,
  type WebCallResponse,
  type WidgetResponse,
} from './dto/web-call.response.js';

/** Call reconciliation starts when the ticket has expired. */
const CHECK_AFTER_MS = (WEB_CALL_TICKET_SECONDS + 2) * 1000;

/** The input of a new call. */
interface WebCallRequest extends Pick<NewCall, 'variables' | 'visitor'> {
  /** As in `NewCall`. */
  requestId: string | null;
}

/** Creates calls of browsers: their records, and the tickets that open their lines. */
@Injectable()
export class WebCallsService {
  constructor(
    private readonly audit: AuditService,
    private readonly settings: RuntimeSettings,
    private readonly spendLimits: SpendLimitsService,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly voices: CallSpeechService,
    private readonly budgets: WebCallBudgetService,
  ) {}

  /** When a keyed request is repeated after its process died, it finds the call that was made: no second call. */
  async beginForUser(
    userId: number,
    { assistant_id: key, variables = {} }: BeginUserWebCallDto,
    requestId: string | null,
  ): Promise<WebCallResponse> {
    const begun = requestId === null ? null : await this.calls.findByRequest(requestId);
    const assistant = await this.assistants.assistantView(userId, key);
    if (begun) {
      const ticket = { id: begun.id, token: await this.calls.replaceTicket(begun.id) };
      return this.toResponse(ticket, assistant ? await this.lineOf(assistant) : 'text');
    }
    if (!assistant) throw new AssistantNotFound();
    return this.begin(assistant, { variables, requestId });
  }

  /**
   * @param assistant that the request was admitted to
   * @param visitor identifies the address of a request; null: it has a token of the assistant's account
   */
  async beginForPage(
    assistant: AssistantView | undefined,
    visitor: string | null,
    { variables: given = {} }: BeginWebCallDto,
  ): Promise<WebCallResponse> {
    if (!assistant) throw new AssistantNotFound();
    const variables = visitor === null ? given : allowedVariables(assistant.widgetSettings, given);
    const ofVisitor = visitor === null ? null : { key: visitor, variables: Object.keys(variables) };
    return withConnectionQuota(assistant.accountId, () =>
      this.begin(assistant, { variables, visitor: ofVisitor, requestId: null }),
    );
  }

  async showWidget(assistant: AssistantView | undefined): Promise<WidgetResponse> {
    if (!assistant) throw new AssistantNotFound();
    return toWidgetResponse(assistant, await this.lineOf(assistant));
  }

  private async begin(assistant: AssistantView, asked: WebCallRequest): Promise<WebCallResponse> {
    const call = await this.spendLimits.noteRefusals(() =>
      this.audit.change(async (tx, record) => {
        const opened = await this.open(tx, assistant, asked);
        const { accountId, id: assistantId } = assistant;
        const details = { assistant_id: assistantId, type: 'web' };
        if (!asked.visitor) record({ accountId, action: 'call.create', resourceId: opened.id, details });
        return opened;
      }),
    );
    return this.toResponse(call, await this.lineOf(assistant));
  }

  /** The kind of line that a browser gets with this assistant. */
  private async lineOf(assistant: AssistantView): Promise<LineKind> {
    return (await this.voices.usesAudioLine(assistant)) ? 'audio' : 'text';
  }

  /** Only `tx` inside: requests that each hold one connection and wait for a second one block each other. */
  private async open(
    tx: EntityManager,
    assistant: AssistantView,
    { variables, visitor = null, requestId }: WebCallRequest,
  ): Promise<{ id: number; token: string }> {
    await lockAccount(tx, assistant.accountId);
    if (assistant.status !== 'active') throw new CallRefused('notActive');
    const apiKeyId = visitor ? null : currentKeyId();
    const budget = visitor
      ? await this.budgets.reserveTicket(tx, assistant, visitor.key)
      : await this.budgets.reserveCall(tx, assistant, apiKeyId);
    return this.calls.insertCall(tx, {
      accountId: assistant.accountId,
      apiKeyId,
      assistant: { id: assistant.id, name: assistant.name },
      campaign: null,
      leadId: null,
      type: 'web',
      carrierSid: null,
      requestId,
      assistantPhoneNumber: '',
      clientPhoneNumber: '',
      variables: { ...assistant.variables, ...variables },
      visitor,
      pricePerMinuteMicros: budget.pricePerMinuteMicros,
      holdMicros: budget.holdMicros,
      maxDuration: budget.maxDurationSeconds,
      evaluationPlan: evaluationPlanOf(assistant),
      checkAt: new Date(Date.now() + CHECK_AFTER_MS),
    });
  }

  private toResponse({ id, token }: { id: number; token: string }, line: LineKind): WebCallResponse {
    const address = this.settings.http.publicUrl.replace(/^http/, 'ws').replace(/\/+$/, '');
    return {
      call_id: id,
      token,
      url: `${address}/web-calls/${token}`,
      expires_in: WEB_CALL_TICKET_SECONDS,
      line,
    };
  }
}
