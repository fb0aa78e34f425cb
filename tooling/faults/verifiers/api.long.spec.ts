import { describe, expect, it } from '@jest/globals';
import { countKey, verifyApi, type ApiObservations } from './api.js';

const answer = (fields = {}) => ({ status: 200, text: '{"id":1}', replayed: false, ...fields });
const replayed = answer({ replayed: true });
const KEY = countKey('call', 1, '+1');
const seen = (answers = [answer(), replayed], fields: Partial<ApiObservations> = {}): ApiObservations => ({
  writes: [{ account: 1, kind: 'call', markers: ['+1'], answers }],
  rows: new Map([[KEY, 1]]),
  carried: new Map([[KEY, 1]]),
  ...fields,
});

describe('verifyApi', () => {
  it('accepts a resource that exists once, with equal responses', () => {
    expect(verifyApi(seen())).toEqual([]);
  });

  it('accepts a response that is stored but lost the first time', () => {
    expect(verifyApi(seen([replayed, replayed]))).toEqual([]);
  });

  it('accepts a call that does not reach the carrier', () => {
    expect(verifyApi(seen(undefined, { carried: new Map() }))).toEqual([]);
  });

  it.each<[string, ApiObservations]>([
    ['a request without an answer', seen([])],
    ['a refusal', seen([answer({ status: 422 })], { rows: new Map(), carried: new Map() })],
    ['a refusal of what exists', seen([answer({ status: 422 })])],
    ['another answer under the same key', seen([answer(), answer({ text: '{"id":2}', replayed: true })])],
    ['a request that is worked on again', seen([answer(), answer()])],
    ['what is acknowledged and missing', seen(undefined, { rows: new Map() })],
    ['what exists twice', seen(undefined, { rows: new Map([[KEY, 2]]) })],
    ['what reached the carrier twice', seen(undefined, { carried: new Map([[KEY, 2]]) })],
  ])('flags %s', (_, observed) => {
    expect(verifyApi(observed)).not.toEqual([]);
  });
});
