import { describe, expect, it } from '@jest/globals';
import { verifyWebhooks, type WebhookObservations } from './webhooks.js';

const request = (at: number, fields = {}) => ({
  webhookId: 'msg_1',
  at,
  sender: 7,
  fate: 'take' as const,
  callId: 1,
  channel: 'post-call',
  ...fields,
});
const attempt = (at: number, statusCode: number | null = 200) => ({ webhookId: 'msg_1', at, statusCode });
const seen = (fields: Partial<WebhookObservations> = {}): WebhookObservations => ({
  calls: 1,
  expected: [{ callId: 1, channel: 'post-call', webhookId: 'msg_1', state: 'delivered', recorded: 1 }],
  requests: [request(1_000)],
  attempts: [attempt(1_020)],
  deaths: [],
  outages: [],
  ...fields,
});
const twice = (fields: Partial<WebhookObservations>) =>
  verifyWebhooks(
    seen({ requests: [request(1_000), request(40_000)], attempts: [attempt(40_020)], ...fields }),
  );

describe('verifyWebhooks', () => {
  it('accepts one request for each delivery', () => {
    expect(verifyWebhooks(seen())).toEqual([]);
  });

  it('accepts a repetition after a recorded failure', () => {
    const attempts = [attempt(1_020, 500), attempt(6_020)];
    expect(verifyWebhooks(seen({ requests: [request(1_000), request(6_000)], attempts }))).toEqual([]);
  });

  it('accepts a repetition when the sender is killed during the attempt', () => {
    expect(twice({ deaths: [{ pid: 7, from: 1_005, to: 1_010 }] })).toEqual([]);
  });

  it('accepts a repetition when the database is down during the attempt', () => {
    expect(twice({ outages: [{ from: 900, to: 4_000 }] })).toEqual([]);
  });

  it('counts the time limit of a request without a response as part of the attempt', () => {
    const requests = [request(1_000, { fate: 'hang' }), request(40_000)];
    expect(twice({ requests, deaths: [{ pid: 7, from: 14_000, to: 14_001 }] })).toEqual([]);
  });

  it.each<[string, Partial<WebhookObservations>]>([
    ['nothing was away', {}],
    ['another process was killed', { deaths: [{ pid: 8, from: 1_005, to: 1_010 }] }],
    ['the sender was killed before', { deaths: [{ pid: 7, from: 800, to: 900 }] }],
    ['the sender was killed long after', { deaths: [{ pid: 7, from: 9_000, to: 9_010 }] }],
    ['the database was away long after', { outages: [{ from: 20_000, to: 21_000 }] }],
  ])('flags a repetition when %s', (_, fields) => {
    expect(twice(fields)).toEqual([expect.stringContaining('was not cut')]);
  });

  it('flags a repetition after the success is recorded', () => {
    const attempts = [attempt(1_020), attempt(40_020)];
    expect(twice({ attempts, deaths: [{ pid: 7, from: 1_005, to: 1_010 }] })).toEqual([
      expect.stringContaining('after it was recorded'),
    ]);
  });

  it('flags a second request within one attempt, also during an outage', () => {
    const requests = [request(1_000), request(1_004)];
    const outages = [{ from: 0, to: 100_000 }];
    expect(verifyWebhooks(seen({ requests, outages }))).toEqual([expect.stringContaining('under way')]);
  });

  it.each<[string, Partial<WebhookObservations['expected'][number]>]>([
    ['has no delivery', { webhookId: null }],
    ['is not delivered', { state: 'pending' }],
    ['has no attempt in the log', { recorded: 0 }],
    ['is another call’s request', { callId: 2 }],
    ['never arrived', { webhookId: 'msg_2' }],
  ])('flags a delivery that %s', (_, fields) => {
    const [delivery] = seen().expected;
    expect(verifyWebhooks(seen({ expected: [{ ...delivery!, ...fields }] }))).toHaveLength(1);
  });

  it('flags calls that are missing', () => {
    expect(verifyWebhooks(seen({ calls: 2 }))).toEqual(['1 calls stand in the database, 2 were placed']);
  });
});
