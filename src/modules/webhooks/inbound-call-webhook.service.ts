import { Injectable, Logger } from '@nestjs/common';
import { parseJsonBody } from '#src/http/json-body.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { isObject } from '#src/common/validation/field-rules.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { GONE_REASON } from './delivery/delivery-outcome.js';
import { newWebhookId } from './delivery/new-deliveries.service.js';
import { ReceiverCircuitBreakerService } from './delivery/receiver-circuit-breaker.service.js';
import { WebhookSenderService } from './delivery/webhook-sender.service.js';

/** Milliseconds; the caller hears ringing meanwhile. */
const TIMEOUT_MS = 3_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

type InboundCall = Pick<
  CallView,
  'id' | 'assistantPhoneNumber' | 'clientPhoneNumber' | 'variables' | 'status'
>;
type InboundAssistant = Pick<AssistantView, 'id' | 'accountId' | 'inboundWebhookUrl'>;

/** Sends `call.inbound` to the user's webhook before an inbound call is answered. */
@Injectable()
export class InboundCallWebhookService {
  private readonly logger = new Logger(InboundCallWebhookService.name);

  constructor(
    private readonly sender: WebhookSenderService,
    private readonly circuitBreaker: ReceiverCircuitBreakerService,
  ) {}

  /** Variables that override the call's own. Takes three seconds at most and never throws: no response is `{}`. */
  async requestVariables(call: InboundCall, assistant: InboundAssistant): Promise<Record<string, unknown>> {
    if (assistant.inboundWebhookUrl === null) return {};
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), TIMEOUT_MS)));
    try {
      const response = await Promise.race([this.requestBody(call, assistant), timeout]);
      return response === null ? {} : readVariables(response);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'error';
      this.logger.warn(`Call ${call.id} goes on without its inbound webhook (${reason})`);
      return {};
    } finally {
      clearTimeout(timer);
    }
  }

  private async requestBody(call: InboundCall, assistant: InboundAssistant) {
    const outcome = await this.sender.sendWebhook(
      {
        accountId: assistant.accountId,
        assistantId: assistant.id,
        channel: 'inbound',
        event: 'call.inbound',
        webhookId: newWebhookId(),
        body: JSON.stringify({
          call_id: call.id,
          assistant_id: assistant.id,
          customer_phone: call.clientPhoneNumber,
          assistant_phone: call.assistantPhoneNumber,
          variables: call.variables,
          status: call.status,
          timestamp: toIsoMicros(new Date()),
        }),
      },
      { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES },
    );
    if (outcome.kind !== 'sent' || !outcome.result.ok || outcome.result.truncated) return null;
    if (outcome.result.unreadable)
      this.logger.warn(`Call ${call.id}: the inbound webhook's response is compressed`);
    const { statusCode, body } = outcome.result;
    if (statusCode === 410) {
      const { id: assistantId, accountId } = assistant;
      const receiver = { assistantId, accountId, channel: 'inbound', url: outcome.url } as const;
      await this.circuitBreaker.disableWebhook(receiver, GONE_REASON);
    }
    return statusCode >= 200 && statusCode < 300 ? body : null;
  }
}

/**
 * The variables of a response: the body, or its `variables` or `dynamic_variables`. No-code tools wrap it in a list of
 * one item and in `json`; a list of several items is refused. A `__proto__` key is dropped: merging code could change
 * a prototype with it.
 *
 * @throws BadRequest when the response is not a JSON object that can be stored, or a list of one
 */
export function readVariables(response: string): Record<string, unknown> {
  const body = unwrapJsonItem(parseJsonBody(unwrapSingleItem(response)));
  const variables = [body.variables, body.dynamic_variables].find(isObject) ?? body;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name !== '__proto__'));
}

/** The JSON of a list's only object; the text itself for anything else. */
function unwrapSingleItem(response: string): string {
  if (!response.trimStart().startsWith('[')) return response;
  try {
    const list = JSON.parse(response) as unknown[];
    return list.length === 1 && isObject(list[0]) ? JSON.stringify(list[0]) : response;
  } catch {
    return response;
  }
}

/** Keys of an n8n item. */
const N8N_ITEM_KEYS = ['json', 'binary', 'pairedItem'];

function unwrapJsonItem(body: object): Record<string, unknown> {
  const { json } = body as { json?: unknown };
  const isItem = Object.keys(body).every((key) => N8N_ITEM_KEYS.includes(key));
  return isItem && isObject(json) ? json : (body as Record<string, unknown>);
}
