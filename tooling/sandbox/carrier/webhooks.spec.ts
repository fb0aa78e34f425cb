import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';
import { connectionOverrides, withoutOverrides } from './connection-overrides.js';

const HANG_UP = '<Response><Hangup/></Response>';

describe('the fetch of instructions', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  const fetches = async () =>
    (await bench.journal())
      .filter(({ event }) => ['answer', 'fallback'].includes(String(event)))
      .map(({ event, attempt, status }) => [event, attempt, status]);

  const failing = (status: number) => {
    bench.service.answer = (path) => {
      if (path.startsWith('/answer')) return status;
      return path.startsWith('/fallback') ? HANG_UP : 204;
    };
  };

  it('is not repeated where the service responds with an error, and the call ends', async () => {
    failing(503);
    await bench.call('0020');
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(await fetches()).toEqual([['answer', 1, 503]]);
    expect(await bench.journal()).toContainEqual(
      expect.objectContaining({ kind: 'refusal', what: 'document' }),
    );
  });

  it('is repeated once without a connection', async () => {
    await bench.call('0020', { Url: 'http://127.0.0.1:1/answer' });
    await bench.ending();
    expect(await fetches()).toEqual([
      ['answer', 1, null],
      ['answer', 2, null],
    ]);
  });

  it('is repeated as the fragment of the URL requests, which is neither sent nor signed', async () => {
    failing(500);
    await bench.call('0020', { Url: `${bench.service.url}/answer/x#rc=3&rp=4xx,5xx` });
    await bench.ending();
    expect(await fetches()).toEqual([1, 2, 3, 4].map((attempt) => ['answer', attempt, 500]));
    const asked = bench.service.webhooks.filter(({ path }) => path.startsWith('/answer'));
    expect(asked.map(({ path, signed }) => [path, signed])).toEqual(
      [1, 2, 3, 4].map(() => ['/answer/x', true]),
    );
  });

  it('uses the fallback URL in the end, which receives the reason', async () => {
    failing(500);
    await bench.call('0020', { FallbackUrl: `${bench.service.url}/fallback` });
    const fallback = await bench.service.webhook(({ path }) => path === '/fallback');
    expect(fallback.params).toMatchObject({
      ErrorCode: '11200',
      ErrorUrl: `${bench.service.url}/answer/token-1`,
    });
    await bench.ending();
    expect((await bench.journal()).some(({ kind }) => kind === 'refusal')).toBe(false);
  });

  it('waits for a service that restarts where that was requested', async () => {
    await bench.stop();
    bench = await Bench.start({ patienceSeconds: 30 });
    let asked = 0;
    bench.service.answer = (path) => {
      if (!path.startsWith('/answer')) return 204;
      return ++asked < 4 ? 503 : HANG_UP;
    };
    await bench.call('0020');
    await bench.ending();
    expect(await fetches()).toHaveLength(4);
  });
});

describe('connection overrides', () => {
  it('has the defaults of the carrier', () => {
    expect(connectionOverrides('https://x.test/a')).toEqual({
      connectTimeout: 5000,
      readTimeout: 15000,
      totalTime: 15000,
      retries: 1,
      policy: new Set(['ct']),
    });
  });

  it('reads the fragment, and ignores values out of range', () => {
    expect(connectionOverrides('https://x.test/a#rc=2&rp=all&ct=1000&rt=2000&tt=9')).toEqual({
      connectTimeout: 1000,
      readTimeout: 2000,
      totalTime: 15000,
      retries: 2,
      policy: new Set(['all']),
    });
    expect(withoutOverrides('https://x.test/a?b=c#rc=2')).toBe('https://x.test/a?b=c');
    expect(withoutOverrides('https://x.test')).toBe('https://x.test');
  });
});
