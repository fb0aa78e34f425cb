import { describe, expect, it } from '@jest/globals';
import { verifySms, type SmsObservations } from './sms.js';

const PRICE = 75_000n;

const record = (id: number, fields: Partial<SmsObservations['records'][number]> = {}) => ({
  id,
  sms_sid: `SM${id}`,
  status: 'sent',
  body: `message ${id}`,
  cost: PRICE,
  taken: PRICE,
  recharged: false,
  ...fields,
});
const answer = (id: number, fields: Partial<SmsObservations['answers'][number]> = {}) => ({
  body: `message ${id}`,
  status: 200,
  id: id as number | null,
  sid: `SM${id}` as string | null,
  ...fields,
});
const NOT_SENT = { sms_sid: null, status: 'failed', taken: 0n };
const seen = (fields: Partial<SmsObservations> = {}): SmsObservations => ({
  sent: [{ sid: 'SM1', body: 'message 1' }],
  records: [record(1), record(2, NOT_SENT)],
  answers: [answer(1), answer(2, { status: 500, id: null, sid: null })],
  asked: 2,
  atLeastSent: 1,
  audit: [],
  ...fields,
});

describe('verifySms', () => {
  it('accepts a message that was sent and charged beside one that was neither', () => {
    expect(verifySms(seen())).toEqual([]);
  });

  it('accepts a response without an identifier', () => {
    const answers = [answer(1, { sid: null }), answer(2, { sid: null })];
    expect(verifySms(seen({ answers }))).toEqual([]);
  });

  it('accepts a message that is reported as failed, found sent later and charged again', () => {
    const answers = [answer(1, { status: 500, id: null, sid: null }), answer(2, { sid: null })];
    expect(
      verifySms(seen({ answers, records: [record(1, { recharged: true }), record(2, NOT_SENT)] })),
    ).toEqual([]);
  });

  it.each<[string, Partial<SmsObservations>]>([
    ['too few messages', { atLeastSent: 2 }],
    ['a client without an answer', { asked: 3 }],
    ['a message that is sent twice', { sent: [...seen().sent, { sid: 'SM3', body: 'message 1' }] }],
    ['a message that is sent and not charged', { records: [record(1, { taken: 0n }), record(2, NOT_SENT)] }],
    ['a message that is charged and not sent', { records: [record(1), record(2, { sms_sid: null })] }],
    ['a wrong amount', { records: [record(1, { taken: 1n }), record(2, NOT_SENT)] }],
    ['a finding of the audit', { audit: ['account 1: the balance is wrong'] }],
    ['an identifier that the carrier does not have', { answers: [answer(1), answer(2, { sid: 'SM9' })] }],
    ['an identifier of another message', { answers: [answer(1), answer(2, { sid: 'SM1' })] }],
    ['one record in two answers', { answers: [answer(1), answer(1)] }],
    ['a record of nobody', { answers: [answer(1), answer(9)] }],
    [
      'a refusal of what was sent',
      { answers: [answer(1, { status: 400, id: null, sid: null }), answer(2, { sid: null })] },
    ],
    [
      'a failure that was sent',
      { answers: [answer(1, { status: 500, id: null, sid: null }), answer(2, { sid: null })] },
    ],
  ])('flags %s', (_, fields) => {
    expect(verifySms(seen(fields))).not.toEqual([]);
  });
});
