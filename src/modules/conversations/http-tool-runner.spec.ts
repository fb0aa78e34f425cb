import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpServer, type LocalServer } from '#src/common/outbound-http/local-server.fake.js';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { HttpToolRunner } from './http-tool-runner.js';

const CALLED = { id: 7, name: 'check_order', description: 'Looks up an order.', parameters: [] };
type Tool = AssistantView['tools'][number];

describe('HttpToolRunner', () => {
  const paths: string[] = [];
  let http: OutboundHttpService;
  let server: LocalServer;

  beforeEach(async () => {
    paths.length = 0;
    http = new OutboundHttpService({ allowCidrs: ['127.0.0.0/8'], userAgent: 'spec' });
    server = await httpServer((request, response) => {
      paths.push(String(request.url));
      const status = Number(/status=(\d+)/.exec(String(request.url))?.[1] ?? 200);
      response.statusCode = status;
      response.end(
        status === 200 ? '{"found":true}' : JSON.stringify({ next: '16:00', more: 'x'.repeat(3_000) }),
      );
    });
  });
  afterEach(async () => {
    await http.close();
    await server.close();
  });

  const tool = (endpoint: string): Tool => ({
    id: 7,
    name: 'check_order',
    description: 'Looks up an order.',
    endpoint,
    method: 'GET',
    timeout: 5,
    headers: [],
    schema: [],
    created_at: '',
    updated_at: '',
  });
  const run = (endpoint: string, number: string) =>
    new HttpToolRunner(http, [tool(endpoint)]).run(CALLED, { number }, new AbortController().signal);

  it('sends nothing, and reports the reason to the model, when an argument would leave the path', async () => {
    const endpoint = `http://127.0.0.1:${server.port}/orders/{number}`;
    expect(await run(endpoint, '..')).toMatchObject({
      ok: false,
      error: expect.stringContaining('path segment'),
    });
    expect(await run(endpoint, '%2e%2e')).toMatchObject({ ok: false });
    expect(paths).toEqual([]);
    expect(await run(endpoint, '4711')).toMatchObject({ ok: true, result: { found: true } });
    expect(paths).toEqual(['/orders/4711']);
  });

  it('sends the model the text of a refusal, up to a limit, and nothing of a server error', async () => {
    const endpoint = `http://127.0.0.1:${server.port}/orders`;
    const refused = await run(`${endpoint}?status=409`, '1');
    expect(refused).toMatchObject({
      ok: false,
      error: 'The tool answered with status 409.',
      statusCode: 409,
    });
    expect(String(refused.result)).toMatch(/^\{"next":"16:00","more":"x+$/);
    expect(String(refused.result)).toHaveLength(2_000);
    expect(await run(`${endpoint}?status=500`, '1')).not.toHaveProperty('result');
  });

  it('does not reveal to the model whether an internal host exists', async () => {
    const closed = new OutboundHttpService({ allowCidrs: [], userAgent: 'spec' });
    const runner = (endpoint: string) =>
      new HttpToolRunner(closed, [tool(endpoint)]).run(CALLED, {}, new AbortController().signal);
    const known = await runner('http://localhost/');
    const unknown = await runner('http://does-not-exist.invalid/');
    expect(known).toMatchObject({ ok: false });
    expect({ ...known, durationMs: 0 }).toEqual({ ...unknown, durationMs: 0 });
    await closed.close();
  });
});
