import { describe, expect, it } from '@jest/globals';
import { verifyPostgres, type PostgresObservations } from './postgres.js';

const seen = (fields: Partial<PostgresObservations> = {}): PostgresObservations => ({
  webhooks: {
    calls: 1,
    expected: [{ callId: 1, channel: 'post-call', webhookId: 'msg_1', state: 'delivered', recorded: 1 }],
    requests: [{ webhookId: 'msg_1', at: 1_000, sender: 7, fate: 'take', callId: 1, channel: 'post-call' }],
    attempts: [{ webhookId: 'msg_1', at: 1_020, statusCode: 200 }],
    deaths: [],
    outages: [],
  },
  dialer: { leads: 0, dials: [], attempts: [], rows: [], calmSince: 0, slotMs: Infinity },
  sms: { sent: [], records: [], answers: [], asked: 0, atLeastSent: 0, audit: [] },
  ready: [200, 200],
  verify: { code: 0, text: '' },
  ended: [],
  ...fields,
});
const { webhooks, dialer, sms } = seen();

describe('verifyPostgres', () => {
  it('accepts a service that recovered', () => {
    expect(verifyPostgres(seen())).toEqual([]);
  });

  it.each<[string, Partial<PostgresObservations>]>([
    [
      'a delivery that is gone',
      { webhooks: { ...webhooks, expected: [{ ...webhooks.expected[0]!, webhookId: null }] } },
    ],
    ['a lead that is gone', { dialer: { ...dialer, leads: 1 } }],
    ['a message without an answer', { sms: { ...sms, asked: 1 } }],
    ['a process that is not ready', { ready: [200, 503] }],
    ['a process that does not answer', { ready: [200, 0] }],
    ['a ledger that does not add up', { verify: { code: 1, text: 'account 1: 1 problem' } }],
    ['a process that ended', { ended: ['one ended by itself'] }],
  ])('flags %s', (_, fields) => {
    expect(verifyPostgres(seen(fields))).not.toEqual([]);
  });
});
