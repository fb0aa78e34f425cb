import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

// Starts a service, which takes seconds.
jest.setTimeout(60_000);

/** In front of the sandbox: counts requests for evaluations, and withholds prices. */
let proxy: Server;
let bench: CarrierBench;
let sandboxUrl = '';
let evaluations = 0;
let priceRequests = 0;
/** Requests for a price that get none; all requests while it is Infinity. */
let unpriced = 0;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

beforeAll(async () => {
  proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '' } = request;
    const body = await bodyOf(request);
    if (url.endsWith('/chat/completions') && body.includes('call_evaluation')) evaluations++;
    const isPrice = method === 'GET' && /\/Calls\/CA\w+\.json/.test(url);
    if (isPrice) priceRequests++;
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(sandboxUrl + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body && { body }),
    });
    const text = await answer.text();
    const isHidden = isPrice && priceRequests <= unpriced;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isHidden ? JSON.stringify({ ...(JSON.parse(text) as object), price: null }) : text);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const behindProxy = async (url: string) => {
    sandboxUrl = url;
    return proxyUrl;
  };
  bench = await CarrierBench.start(behindProxy, 80, { LLM_BASE_URL: `${proxyUrl}/v1` });
});

afterAll(async () => {
  await bench.stop();
  proxy.close();
});

beforeEach(() => {
  [evaluations, priceRequests] = [0, 0];
});

/** A callee who talks. */
const POLITE = '+15005550020';
const evaluated = { status: expect.any(Boolean), summary: expect.any(String) };

it('asks for the evaluation once while the price is late', async () => {
  unpriced = 3;
  const user = await anAccount({ service: bench });
  const id = await aCall(user, await anAssistant(user), { phoneNumber: POLITE });
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(priceRequests).toBeGreaterThan(3);
  expect([evaluations, call]).toEqual([1, expect.objectContaining({ evaluation: evaluated })]);
});

it('does not ask again after a crash while the price is late', async () => {
  unpriced = Infinity;
  const user = await anAccount({ service: bench });
  const id = await aCall(user, await anAssistant(user), { phoneNumber: POLITE });
  await until(async () => {
    const { rows } = await bench.db.query('SELECT 1 FROM calls WHERE id = $1 AND evaluated_at IS NOT NULL', [
      id,
    ]);
    return rows.length === 1;
  });
  await bench.restart('kill');
  unpriced = 0;
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect([evaluations, call]).toEqual([1, expect.objectContaining({ evaluation: evaluated })]);
});
