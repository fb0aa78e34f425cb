import { describe, expect, it } from '@jest/globals';
import { verifyDialer, type DialerObservations } from './dialer.js';

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
  openedAt: 1_000,
  closedAt: 2_000 as number | null,
  ...fields,
});
const lead = (fields: Partial<DialerObservations['rows'][number]> = {}) => ({
  id: 10,
  status: 'completed',
  to: '+15005551001',
  attempts: 1,
  ...fields,
});
const seen = (fields: Partial<DialerObservations> = {}): DialerObservations => ({
  leads: 1,
  dials: [dial()],
  attempts: [attempt()],
  rows: [lead()],
  calmSince: 5_000,
  slotMs: 20_000,
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

  it('accepts a number that the carrier refuses as invalid, and one that is never to be called', () => {
    const rows = [
      lead(),
      lead({ id: 11, status: 'reached-max-retries', to: '+15005550001' }),
      lead({ id: 12, status: 'blacklisted', to: '+15005551002' }),
    ];
    expect(verifyDialer(seen({ leads: 2, rows: rows.slice(0, 2) }))).toEqual([]);
    expect(verifyDialer(seen({ leads: 2, rows: [lead(), lead({ id: 12, status: 'blacklisted' })] }))).toEqual(
      [],
    );
  });

  it('accepts a slot that is held during faults, and free soon after them', () => {
    expect(verifyDialer(seen({ attempts: [attempt({ closedAt: 24_000 })] }))).toEqual([]);
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
    ['a lead that is not decided', { rows: [lead({ status: 'processing' })] }],
    ['a lead that is missing', { leads: 2 }],
    ['a run in which nothing rang', { dials: [] }],
    ['a slot that is free too late after the last fault', { attempts: [attempt({ closedAt: 26_000 })] }],
    [
      'a slot that is free too late after its call began',
      { attempts: [attempt({ openedAt: 9_000, closedAt: 30_000 })] },
    ],
    ['a slot that is not free', { attempts: [attempt({ closedAt: null })] }],
    [
      'a lead that ended without a dial',
      { leads: 2, rows: [lead(), lead({ id: 11, status: 'reached-max-retries', to: '+15005551002' })] },
    ],
    [
      'a lead that two attempts dialled',
      {
        dials: [dial(), dial({ sid: 'CA2', token: 'two' })],
        attempts: [attempt(), attempt({ callId: 2, token: 'two', sid: 'CA2' })],
      },
    ],
  ])('flags %s', (_, fields) => {
    expect(verifyDialer(seen(fields))).not.toEqual([]);
  });
});
