import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ReceiverCircuitBreakerService } from './delivery/receiver-circuit-breaker.service.js';
import type {
  WebhookSendOutcome,
  WebhookMessage,
  WebhookSenderService,
} from './delivery/webhook-sender.service.js';
import { InboundCallWebhookService, readVariables } from './inbound-call-webhook.service.js';

const ASSISTANT = { id: 3, accountId: 1, inboundWebhookUrl: 'https://crm.example.com/ask' };
const CALL = {
  id: 7,
  clientPhoneNumber: '+15005550020',
  assistantPhoneNumber: '+14155550100',
  variables: { shop: 'Bicycles' },
  status: 'initiated',
} as const;

const answered = (body: string, { statusCode = 200, truncated = false } = {}): WebhookSendOutcome => ({
  kind: 'sent',
  url: ASSISTANT.inboundWebhookUrl,
  result: { ok: true, statusCode, headers: {}, body, truncated, durationMs: 1 },
});

const asking = (send: (message: WebhookMessage) => Promise<WebhookSendOutcome>, switchedOff: object[] = []) =>
  new InboundCallWebhookService(
    { sendWebhook: send } as unknown as WebhookSenderService,
    {
      disableWebhook: async (receiver: object) => void switchedOff.push(receiver),
    } as unknown as ReceiverCircuitBreakerService,
  );

describe('InboundCallWebhookService', () => {
  it('sends the call, and merges the response into its variables', async () => {
    const messages: WebhookMessage[] = [];
    const webhook = asking(async (message) => {
      messages.push(message);
      return answered('{"name":"Ada"}');
    });
    expect(await webhook.requestVariables(CALL, ASSISTANT)).toEqual({ name: 'Ada' });
    expect(messages).toMatchObject([
      { accountId: 1, assistantId: 3, channel: 'inbound', event: 'call.inbound' },
    ]);
    expect(JSON.parse(messages[0]?.body ?? '')).toEqual({
      call_id: 7,
      assistant_id: 3,
      customer_phone: '+15005550020',
      assistant_phone: '+14155550100',
      variables: { shop: 'Bicycles' },
      status: 'initiated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it.each<[string, WebhookSendOutcome]>([
    ['is switched off', { kind: 'off' }],
    [
      'fails',
      {
        kind: 'sent',
        url: '',
        result: { ok: false, error: 'timeout', message: '', reason: 'timeout', durationMs: 3_000 },
      },
    ],
    ['answers 500', answered('{"name":"Ada"}', { statusCode: 500 })],
    ['answers too much', answered('{"name":"Ada"}', { truncated: true })],
    ['answers no JSON', answered('<html>')],
    ['answers no object', answered('["Ada"]')],
    ['answers a list of several', answered('[{"name":"Ada"},{"name":"Tom"}]')],
    ['answers a list of lists', answered('[[{"name":"Ada"}]]')],
    ['answers an empty list', answered('[]')],
    ['answers what is cut off', answered('[{"name":"Ada"}')],
    ['answers nothing', answered('')],
    ['answers what cannot be stored', answered('{"name":"\\u0000"}')],
  ])('continues the call when the receiver %s', async (_what, outcome) => {
    Logger.overrideLogger(false);
    expect(await asking(async () => outcome).requestVariables(CALL, ASSISTANT)).toEqual({});
  });

  it('switches the webhook off after a 410, and only then', async () => {
    const switchedOff: object[] = [];
    await asking(async () => answered('', { statusCode: 404 }), switchedOff).requestVariables(
      CALL,
      ASSISTANT,
    );
    expect(switchedOff).toEqual([]);
    const gone = asking(async () => answered('{"name":"Ada"}', { statusCode: 410 }), switchedOff);
    expect(await gone.requestVariables(CALL, ASSISTANT)).toEqual({});
    const { accountId, inboundWebhookUrl: url } = ASSISTANT;
    expect(switchedOff).toEqual([{ accountId, assistantId: 3, channel: 'inbound', url }]);
  });

  it('continues the call when the request throws', async () => {
    Logger.overrideLogger(false);
    const broken = asking(() => Promise.reject(new Error('no database')));
    expect(await broken.requestVariables(CALL, ASSISTANT)).toEqual({});
  });

  it('sends no request without a URL', async () => {
    const webhook = asking(() => Promise.reject(new Error('asked')));
    expect(await webhook.requestVariables(CALL, { ...ASSISTANT, inboundWebhookUrl: null })).toEqual({});
  });

  it('waits at most three seconds', async () => {
    jest.useFakeTimers();
    const answer = asking(() => new Promise(() => undefined)).requestVariables(CALL, ASSISTANT);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await answer).toEqual({});
    jest.useRealTimers();
  });
});

describe('readVariables', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"variables":{"a":1},"b":2}', { a: 1 }],
    ['{"dynamic_variables":{"a":1}}', { a: 1 }],
    ['{"variables":[1],"dynamic_variables":{"a":1}}', { a: 1 }],
    ['{"variables":"none"}', { variables: 'none' }],
    ['[{"a":1}]', { a: 1 }],
    [' [ {"variables":{"a":1},"b":2} ]', { a: 1 }],
    ['[{"dynamic_variables":{"a":1}}]', { a: 1 }],
    ['[{"json":{"a":1},"pairedItem":{"item":0}}]', { a: 1 }],
    ['[{"json":{"variables":{"a":1}}}]', { a: 1 }],
    ['{"json":{"a":1}}', { a: 1 }],
    ['{"json":{"a":1},"b":2}', { json: { a: 1 }, b: 2 }],
    ['{"json":"none"}', { json: 'none' }],
    ['{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
  ])('reads %s', (answer, variables) => {
    expect(readVariables(answer)).toEqual(variables);
  });

  it('does not pollute Object.prototype', () => {
    const variables = readVariables('{"variables":{"__proto__":{"admin":true},"a":1}}');
    expect(Object.keys(variables)).toEqual(['a']);
    expect({ ...variables }).not.toHaveProperty('admin');
    expect(Object.assign({}, variables)).not.toHaveProperty('admin');
  });
});
