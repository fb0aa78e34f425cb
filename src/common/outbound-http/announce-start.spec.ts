import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpServer } from './local-server.fake.js';
import { OutboundBench } from './outbound-bench.fake.js';

describe('the start of a request', () => {
  let bench: OutboundBench;
  beforeEach(() => {
    bench = new OutboundBench();
  });
  afterEach(() => bench.close());

  it('is announced once, before the receiver sees anything', async () => {
    const order: string[] = [];
    const server = await bench.serving(
      httpServer((_request, response) => {
        order.push('seen');
        response.end();
      }),
    );
    const onStart = () => void order.push('started');
    await bench.ask(server, { body: '{}', onStart });
    await bench.ask(server, { body: '{}', onStart });
    expect(order).toEqual(['started', 'seen', 'started', 'seen']);
  });

  it('is not announced when no connection stands', async () => {
    let started = 0;
    const server = await httpServer((_request, response) => void response.end());
    await server.close();
    const result = await bench.ask(server, { onStart: () => void started++ });
    expect(result).toMatchObject({ ok: false, error: 'connect_failure' });
    expect(started).toBe(0);
  });
});
