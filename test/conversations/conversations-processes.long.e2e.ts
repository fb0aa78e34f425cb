import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWidgetAssistant, ORIGIN, Visitor, type Refused } from '../factories/conversation.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const ORDER = 'Where is my order 4711?';
const PORTAL = 'https://portal.example';
/** Of the sandbox: it says nothing. */
const MUTE = 'gpt-4.1-mini+empty';
const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';
const TOO_MANY = 'Too many requests. Please try again later.';
/** Of an address: 12 requests a minute, of which 2 may begin conversations. */
const PER_MINUTE = 12;

describe('text conversations of a service of their own', () => {
  let service: OwnService;
  let tools: Receiver;
  const from = (address: string): Visitor =>
    new Visitor(`${service.service.url}/api`, { Origin: ORIGIN, 'X-Forwarded-For': address });

  beforeAll(async () => {
    tools = await Receiver.open();
    service = await OwnService.start(undefined, {
      PUBLIC_RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
      TRUSTED_PROXIES: '127.0.0.0/8',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      CORS_ORIGINS: PORTAL,
    });
  });

  afterAll(async () => {
    await service.stop();
    await tools.close();
  });

  it('answers a message once, and runs its tool once, when the process is killed meanwhile', async () => {
    const account = await service.account();
    const tool = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: tools.url,
      method: 'POST',
    });
    const { uuid } = await aWidgetAssistant(account, {
      tool_ids: [tool.body.data.id],
      widget_settings: { enabled: true, allowed_origins: [ORIGIN], show_tool_results: true },
    });
    const visitor = from('198.51.100.1');
    const id = await visitor.began(uuid);
    await service.db.query(`INSERT INTO language_models (id, name, mode) VALUES (1000, $1, 'pipeline')`, [
      MUTE,
    ]);
    tools.reply = () => ({ delayMs: 60_000 });
    const lost = visitor.say(id, ORDER).catch(() => null);
    await tools.requests(1);
    await service.restart();
    expect(await lost).toBeNull();
    // Also when its client does not send it again.
    const answered = 'SELECT FROM chat_turns WHERE seq = 1 AND answered_at IS NOT NULL';
    await until(async () => (await service.db.query(answered)).rowCount === 1);
    const { status, headers, body } = await visitor.say(id, ORDER);
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(body.function_calls).toMatchObject([
      {
        name: 'order_status',
        result: { error: expect.stringContaining('not known whether it took effect') },
      },
    ]);
    expect(tools.received).toHaveLength(1);
    expect(await visitor.history(id)).toEqual([
      { role: 'assistant', content: expect.any(String) },
      { role: 'user', content: ORDER },
      { role: 'assistant', content: body.message, function_calls: body.function_calls },
    ]);
    const { rows } = await service.db.query(`SELECT amount_micros FROM ledger_entries WHERE kind = 'chat'`);
    expect(rows).toEqual([{ amount_micros: '-10000' }]);
  });

  it('refunds the price when the model does not respond', async () => {
    const account = await service.account();
    const { uuid } = await aWidgetAssistant(account, { llm_model: MUTE, llm_fallback_model: MUTE });
    const visitor = from('198.51.100.2');
    const id = await visitor.began(uuid);
    const { status, body } = await visitor.say(id, 'Hello');
    expect([status, body]).toEqual([
      200,
      { status: true, message: expect.stringContaining('Could you say that again'), function_calls: [] },
    ]);
    const { rows } = await service.db.query(
      `SELECT kind, amount_micros FROM ledger_entries WHERE account_id = $1 AND kind <> 'top-up' ORDER BY id`,
      [account.id],
    );
    expect(rows).toEqual([
      { kind: 'chat', amount_micros: '-10000' },
      { kind: 'chat-refund', amount_micros: '10000' },
    ]);
    const list = await account.client.get<{ data: { total_cost: number }[] }>('/user/conversations');
    expect(list.body.data).toMatchObject([{ id, total_cost: 0, message_count: 3 }]);
  });

  it('allows requests from pages of allowed origins beside those of CORS_ORIGINS', async () => {
    const preflight = async (path: string, origin: string) => {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
      const answer = await fetch(`${service.service.url}/api${path}`, { method: 'OPTIONS', headers });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await preflight('/conversations', ORIGIN)).toBe('*');
    expect(await preflight('/user/me', ORIGIN)).toBeNull();
    expect(await preflight('/user/me', PORTAL)).toBe(PORTAL);
  });

  it('limits the requests of an address, and the messages to a conversation', async () => {
    const statuses = async (count: number, ask: (n: number) => Promise<{ status: number }>) => {
      const found: number[] = [];
      for (let n = 0; n < count; n += 1) found.push((await ask(n)).status);
      return found;
    };
    const visitor = from('198.51.100.7');
    expect(await statuses(3, () => visitor.begin(MISSING))).toEqual([404, 404, 429]);
    const refused = await visitor.begin<Refused>(MISSING);
    expect(refused.body).toEqual({
      status: false,
      message: TOO_MANY,
      error: TOO_MANY,
      retry_after: expect.any(Number),
    });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const reads = await statuses(PER_MINUTE, () => visitor.client.get(`/conversations/${MISSING}`, {}));
    expect(new Set(reads)).toEqual(new Set([404]));
    // Every header counts, also of addresses of one network of IPv6.
    const network = (n: number) => from(`2001:db8:0:1::${n + 1}`);
    expect((await statuses(3, (n) => network(n).begin(MISSING))).at(-1)).toBe(429);
    expect((await from('2001:db8:0:2::1').begin(MISSING)).status).toBe(404);
    const many = await statuses(21, (n) => from(`203.0.113.${n}`).say(MISSING, 'Hello'));
    expect([many.slice(0, 20).every((status) => status === 404), many[20]]).toEqual([true, 429]);
  });
});
