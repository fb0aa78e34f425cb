import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen } from '../factories/call.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';
import { TraceCollector, type CollectedSpan } from '../support/trace-collector.js';
import { until } from '../support/until.js';

const NEEDS_A_TOOL = '+15005550025';
const PROMPT = 'You are the friendly voice of a bicycle shop.';

let collector: TraceCollector;
let receiver: Receiver;
let service: OwnService;
let user: TestAccount;
let assistant: number;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([TraceCollector.open(), Receiver.open()]);
  service = await OwnService.start(undefined, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    SANDBOX_SPEED: '80',
  });
  user = await service.account();
  const tool = await user.client.post<{ data: { id: number } }>('/user/tools', {
    name: 'check_order',
    description: 'Looks up an order and checks which appointment is available.',
    endpoint: `${receiver.url}/{order_number}?secret=s3cr3t-of-the-tool`,
    method: 'POST',
    timeout: 5,
    schema: [{ name: 'order_number', type: 'string', description: 'The number of the order' }],
  });
  assistant = await anAssistant(user, {
    system_prompt: PROMPT,
    tool_ids: [tool.body.data.id],
    is_webhook_active: true,
    webhook_url: receiver.url,
  });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([collector.close(), receiver.close()]);
});

const named = (spans: CollectedSpan[], name: string) => spans.filter((span) => span.name === name);
const traceparentOf = ({ traceId, spanId }: CollectedSpan) => `00-${traceId}-${spanId}-01`;

describe('traces of a call', () => {
  let call: CollectedSpan;

  beforeAll(async () => {
    const id = await aCall(user, assistant, { phoneNumber: NEEDS_A_TOOL });
    await callWhen(user, id, ({ status }) => status === 'completed');
    call = await collector.span('call', ({ attributes }) => attributes['call.id'] === id);
    await collector.span('webhook attempt');
  });

  it('have the turns with their model requests and tools, and the heard part', async () => {
    expect(call).toMatchObject({
      parentSpanId: null,
      attributes: { 'account.id': user.id, 'assistant.id': assistant, 'call.end': expect.any(String) },
    });
    const children = collector.childrenOf(call);
    expect(new Set(children.map(({ name }) => name))).toEqual(new Set(['turn', 'speech']));
    const turns = named(children, 'turn');
    const answers = turns.filter(({ attributes }) => attributes['turn.cue'] === 'answer');
    expect(answers[0]?.events).toEqual(expect.arrayContaining(['first token', 'first frame']));
    const below = turns.flatMap((turn) => collector.childrenOf(turn));
    expect(named(below, 'model request')[0]).toMatchObject({
      events: ['first token'],
      attributes: {
        'gen_ai.request.model': 'gpt-6-luna',
        'model.role': 'turn',
        'model.outcome': 'answered',
      },
    });
    expect(named(below, 'model request')[0]?.attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0);
    expect(named(below, 'tool')[0]).toMatchObject({
      failed: false,
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    });
    for (const { from, to } of named(children, 'speech')) {
      expect(from).toBeGreaterThanOrEqual(call.from - 2_000);
      expect(to).toBeGreaterThanOrEqual(from);
    }
  });

  it('are continued by tools and receivers of webhooks', async () => {
    const tool = await collector.span('tool');
    const attempt = await collector.span('webhook attempt');
    const [asked, told] = [
      receiver.received.find(({ headers }) => headers['webhook-id'] === undefined),
      receiver.received.find(({ headers }) => headers['webhook-id'] !== undefined),
    ];
    expect(asked?.headers.traceparent).toBe(traceparentOf(tool));
    expect(told?.headers.traceparent).toBe(traceparentOf(attempt));
    expect(attempt.attributes).toMatchObject({
      'account.id': user.id,
      'webhook.event': 'call.completed',
      'webhook.id': told?.headers['webhook-id'],
      'http.response.status_code': 200,
    });
    // It ends, and is told, after its part.
    const job = await collector.span('job webhook-delivery', ({ spanId }) => spanId === attempt.parentSpanId);
    expect(job.parentSpanId).toBeNull();
  });

  it('have the request that placed it, with the request to the carrier', async () => {
    const request = await collector.span('POST /api/user/make_call');
    expect(request).toMatchObject({
      parentSpanId: null,
      attributes: { 'account.id': user.id, 'http.response.status_code': 200 },
    });
    const placed = await collector.span('carrier request', ({ attributes }) =>
      String(attributes['url.template']).endsWith('/Calls.json'),
    );
    expect(placed.attributes).toMatchObject({
      'url.template': '/2010-04-01/Accounts/{id}/Calls.json',
      'http.response.status_code': 201,
    });
    const answer = await collector.span('POST /telephony/answer/:token');
    expect(answer.attributes['call.id']).toBe(call.attributes['call.id']);
  });

  it('contain no phone numbers, words, tokens or addresses of tools', () => {
    const { text } = collector;
    expect(text.length).toBeGreaterThan(5_000);
    for (const secret of [
      NEEDS_A_TOOL.slice(1),
      user.phoneNumber.phone_number.slice(1),
      user.token,
      'bicycle',
      'help you',
      's3cr3t',
      'check_order',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});

it('a traceparent of a client does not count', async () => {
  const traceId = 'a'.repeat(32);
  await fetch(`${service.service.url}/api/user/campaigns`, {
    headers: { authorization: `Bearer ${user.token}`, traceparent: `00-${traceId}-${'b'.repeat(16)}-00` },
  });
  const span = await collector.span('GET /api/user/campaigns');
  expect([span.traceId === traceId, span.parentSpanId]).toEqual([false, null]);
});

it('a collector that refuses or hangs delays no call and no shutdown, and is logged once', async () => {
  const warnings = () =>
    service.notable(0).filter((message) => message.includes('OTEL_EXPORTER_OTLP_ENDPOINT'));
  const placed = async (): Promise<void> => {
    const id = await aCall(user, assistant, { phoneNumber: BUSY });
    await callWhen(user, id, ({ status }) => status === 'busy');
  };
  collector.mood = 'refuses';
  await placed();
  await until(async () => warnings().length > 0);
  const before = collector.requests;
  await placed();
  await until(async () => collector.requests > before);
  expect(warnings()).toEqual([
    'The collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take spans; they are dropped',
  ]);
  collector.mood = 'hangs';
  await placed();
  const startedAt = Date.now();
  await service.service.stop();
  // Or, on a busy machine, as long as its start.
  expect(Date.now() - startedAt).toBeLessThan(Math.max(10_000, service.service.startMs));
  expect(await service.service.exited).toBe(0);
});
