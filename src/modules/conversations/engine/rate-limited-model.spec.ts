import { describe, expect, it } from '@jest/globals';
import type { ModelDelta, StreamRequest } from '../../llm/language-model.js';
import { FakeClock } from './clock.fake.js';
import { RateLimitedModel } from './rate-limited-model.js';

const REQUEST = { messages: [] } as unknown as StreamRequest;

describe('RateLimitedModel', () => {
  it('retries twice a second and counts it, but not for an aborted request', async () => {
    const clock = new FakeClock();
    const asked: number[] = [];
    const counted: number[] = [];
    const model = new RateLimitedModel(
      {
        async *stream(): AsyncGenerator<ModelDelta> {
          asked.push(clock.now());
          yield { kind: 'text', text: 'Hello.' };
        },
      },
      clock,
      { countRequest: (at) => counted.push(at) },
    );
    const begin = clock.now();
    const ask = async (signal: AbortSignal): Promise<number> => {
      let deltas = 0;
      for await (const _ of model.stream(REQUEST, signal)) deltas += 1;
      return deltas;
    };
    const given = new AbortController();
    const results = [ask(given.signal), ...Array.from({ length: 2 }, () => ask(given.signal))];
    const given2 = new AbortController();
    const unwanted = ask(given2.signal);
    given2.abort();
    expect(await unwanted).toBe(0);
    await clock.advance(2_000);
    expect(await Promise.all(results)).toEqual([1, 1, 1]);
    expect(asked.map((at) => at - begin)).toEqual([0, 500, 1_000]);
    expect(counted).toEqual(asked);
  });
});
