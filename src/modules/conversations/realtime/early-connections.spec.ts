import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock, flushPromises } from '../engine/clock.fake.js';
import type { RealtimeEvent, RealtimeSettings } from '../../speech/realtime-model.js';
import { EarlyConnections } from './early-connections.js';
import { FakeRealtimeModel, openSession } from './realtime.fake.js';

const CALL = 7;
const NOTICE_MS = 2_700;

let clock: FakeClock;
let model: FakeRealtimeModel;
let settings: RealtimeSettings;
let early: EarlyConnections;
let events: RealtimeEvent['kind'][];
const connect = (changes: Partial<RealtimeSettings> = {}) =>
  early.connect(CALL, { ...settings, ...changes }, ({ kind }) => events.push(kind));

beforeEach(async () => {
  const own = (await openSession()).model.settings;
  if (!own) throw new Error('no settings');
  [clock, model, settings, events] = [new FakeClock(), new FakeRealtimeModel(), own, []];
  early = new EarlyConnections(model, clock);
});

describe('EarlyConnections', () => {
  it('opens one session before the stream, whose events the call then gets', async () => {
    early.prepare(CALL, settings, NOTICE_MS);
    expect(model.connects).toBe(1);
    await clock.advance(NOTICE_MS);
    expect(await connect()).toBe(model);
    expect(model.connects).toBe(1);
    await model.emit({ kind: 'speech', itemId: 'one', on: true });
    await clock.advance(60_000);
    expect([events, model.sent('close')]).toEqual([['speech'], []]);
  });

  it('opens a session with the stream when none was prepared', async () => {
    await connect();
    expect(model.connects).toBe(1);
  });

  it.each<[string, () => void]>([
    ['the call ends', () => early.discard(CALL)],
    ['the service stops', () => early.closeAll()],
    ['it is prepared again', () => early.prepare(CALL, settings, NOTICE_MS)],
  ])('closes a session without a stream when %s', async (_case, ends) => {
    early.prepare(CALL, settings, NOTICE_MS);
    ends();
    await flushPromises();
    expect(model.sent('close')).toHaveLength(1);
  });

  it('closes a session without a stream 15 s after the notice', async () => {
    early.prepare(CALL, settings, NOTICE_MS);
    await clock.advance(NOTICE_MS + 14_900);
    expect(model.sent('close')).toEqual([]);
    await clock.advance(200);
    expect([model.sent('close').length, clock.pending]).toEqual([1, 0]);
  });

  it('opens another session when the settings have changed, or the provider has closed the first', async () => {
    early.prepare(CALL, settings, NOTICE_MS);
    await connect({ voice: 'cedar' });
    expect([model.connects, model.settings?.voice, model.sent('close').length]).toEqual([2, 'cedar', 1]);
    early.prepare(CALL, settings, NOTICE_MS);
    await model.emit({ kind: 'closed' });
    await connect();
    expect([model.connects, events]).toEqual([4, []]);
  });

  it('fails for the call at once where the session could not be opened', async () => {
    model.isAway = true;
    early.prepare(CALL, settings, NOTICE_MS);
    await flushPromises();
    await expect(connect()).rejects.toThrow('cannot be reached');
    expect(model.connects).toBe(1);
  });
});
