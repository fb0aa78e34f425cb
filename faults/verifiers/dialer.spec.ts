import { describe, expect, it } from '@jest/globals';
import { endedUndialled, verifyDialer, type DialerObservations } from './dialer.js';

const FROM = '+14155550100';
const dial = (fields: Partial<DialerObservations['dials'][number]> = {}) => ({
  sid: 'CA1',
  from: FROM,
  to: '+15005551001',
  token: 'one' as string | null,
  ...fields,
});
const attempt = (fields: Partial<DialerObservations['attempts'][number]> = {}) => ({
  callId: 1,
  leadId: 10,
  token: 'one',
  state: 'closed',
  status: 'completed',
  sid: 'CA1' as string | null,
  from: FROM,
  to: '+15005551001',
  ...fields,
});
const seen = (fields: Partial<DialerObservations> = {}): DialerObservations => ({
  leads: 1,
  dials: [dial()],
  attempts: [attempt()],
  rows: [{ id: 10, status: 'completed' }],
  ...fields,
});

describe('verifyDialer', () => {
  it('accepts one dial for each attempt', () => {
    expect(verifyDialer(seen())).toEqual([]);
  });

  it('accepts an attempt that the carrier refused', () => {
    const refused = attempt({ callId: 2, token: 'two', sid: null, status: 'failed' });
    expect(verifyDialer(seen({ attempts: [attempt(), refused] }))).toEqual([]);
  });

  it.each<[string, Partial<DialerObservations>]>([
    ['two dials for one attempt', { dials: [dial(), dial({ sid: 'CA2' })] }],
    [
      'a dial more than attempts that cannot be tied to one',
      { dials: [dial(), dial({ sid: 'CA2', token: null })] },
    ],
    ['a dial for no attempt', { dials: [dial(), dial({ sid: 'CA2', token: 'two', to: '+15005551002' })] }],
    ['a place that is not freed', { attempts: [attempt({ state: 'placed' })] }],
    ['a call that is not final', { attempts: [attempt({ status: 'ringing' })] }],
    ['a call that never rang under its identifier', { attempts: [attempt({ sid: 'CA9' })] }],
    ['a call with the identifier of another', { dials: [dial({ token: 'two' })] }],
    ['a lead that is not decided', { rows: [{ id: 10, status: 'processing' }] }],
    ['a lead that is missing', { leads: 2 }],
    ['a run in which nothing rang', { dials: [] }],
  ])('flags %s', (_, fields) => {
    expect(verifyDialer(seen(fields))).not.toEqual([]);
  });

  it('counts leads that ended without a dial', () => {
    expect(endedUndialled(seen())).toBe(0);
    expect(endedUndialled(seen({ dials: [] }))).toBe(1);
  });
});
