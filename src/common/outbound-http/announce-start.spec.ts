import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpServer } from './local-server.fake.js';
import { OutboundBench } from './outbound-bench.fake.js';

describe('announcement of a dispatched request', () => {
  let bench: OutboundBench;
  beforeEach(() => {
    bench = new OutboundBench();
  });
  afterEach(() => bench.close());

  it('is called once, before the receiver gets the first byte', async () => {
    const order: string[] = [];
    const server = await bench.serving(
      httpServer((_request, response) => {
        order.push('seen');
        response.end();
      }),
    );
    const onStart = () => void order.push('started');
    await bench.request(server, { body: '{}', onStart });
    await bench.request(server, { body: '{}', onStart });
    expect(order).toEqual(['started', 'seen', 'started', 'seen']);
  });

  it('is not called without a connection', async () => {
    let started = 0;
    const server = await httpServer((_request, response) => void response.end());
    await server.close();
    const result = await bench.request(server, { onStart: () => void started++ });
    expect(result).toMatchObject({ ok: false, error: 'connect_failure' });
    expect(started).toBe(0);
  });

  it('may be refused: then nothing is sent', async () => {
    const seen: string[] = [];
    const server = await bench.serving(
      httpServer((request, response) => {
        seen.push(String(request.headers['x-name']));
        response.end();
      }),
    );
    const caller = new AbortController();
    const onStart = () => caller.abort();
    const refused = await bench.request(server, {
      headers: { 'x-name': 'refused' },
      signal: caller.signal,
      onStart,
    });
    expect(refused).toMatchObject({ ok: false, error: 'aborted' });
    await bench.request(server, { headers: { 'x-name': 'other' } });
    expect(seen).toEqual(['other']);
  });
});
