import { describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import type { CarrierCallHandler, CallReport } from '#src/modules/telephony/carrier-reports.js';
import type { CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CarrierError } from '#src/modules/telephony/carrier-error.js';
import type { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';
import { UnplacedCallsService } from './unplaced-calls.service.js';
import type { WebCallStateService } from './web-call-state.service.js';
import { CallReconciliationProcessor } from './call-reconciliation.processor.js';
import type { CallReconciliationRepository } from './call-reconciliation.repository.js';
import type { CallStateService } from './call-state.service.js';
import type { Call } from '../entities/call.entity.js';
import type { CarrierPriceReconciliationService } from '../wrap-up/carrier-price-reconciliation.service.js';

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

const silent = (fields: Partial<Call>): Call =>
  ({
    id: 7,
    assistantPhoneNumber: '+14155550100',
    clientPhoneNumber: '+15005550020',
    carrierSid: null,
    createdAt: ago(10),
    answeredAt: null,
    endedAt: null,
    endedBy: null,
    hangUpAt: null,
    priceCheckAt: null,
    maxDuration: 600,
    transfers: [],
    ...fields,
  }) as Call;

const atCarrier = (fields: Partial<CarrierCall>): CarrierCall => ({
  sid: 'CA1',
  from: '+14155550100',
  to: '+15005550020',
  status: 'in-progress',
  answeredBy: 'human',
  durationSeconds: null,
  price: null,
  createdAt: ago(10),
  ...fields,
});

/** Runs one check and returns the invocations in order. */
async function check(
  call: Call,
  carrier: Partial<CarrierCalls>,
  known: { taken?: string[]; oldest?: boolean; isPerson?: boolean } = {},
) {
  const done: string[] = [];
  const checks = partialFake<CallReconciliationRepository>({
    claimForCheck: async () => call,
    scheduleCheck: async () => void done.push('check again'),
    findKnownSids: async () => new Set(known.taken ?? []),
    isOldestUnplaced: async () => known.oldest ?? true,
  });
  const progress = partialFake<CallStateService>({
    markFailed: async (_id: number, reason: string) => void done.push(`fail ${reason}`),
    markEnded: async (_id: number, by: string, reason: string) => void done.push(`conclude ${by} ${reason}`),
  });
  const ends = { endCall: async (sid: string) => void done.push(`end ${sid}`) };
  const settings = { calls: { ringTimeoutSeconds: 30 } } as RuntimeSettings;
  const prices = partialFake<CarrierPriceReconciliationService>({
    reconcilePrice: async () => void done.push('price'),
  });
  const gateway = new CarrierGatewayService();
  const report = async ({ sid, status, answeredBy }: CallReport) =>
    void done.push(`report ${sid} ${status} ${answeredBy}`);
  const isToHangUp = async () => !known.isPerson;
  gateway.setCallHandler(partialFake<CarrierCallHandler>({ applyReport: report, shouldHangUp: isToHangUp }));
  const asked = { ...ends, ...carrier } as CarrierCalls;
  const breaker = partialFake<CarrierBreakerService>({
    recordUnreachable: async (since: Date) => void done.push(`cannot be asked since ${since.toISOString()}`),
  });
  const processor = new CallReconciliationProcessor(
    checks,
    progress,
    partialFake<WebCallStateService>({}),
    prices,
    asked,
    gateway,
    new UnplacedCallsService(checks, asked, breaker, settings),
  );
  await processor.process('7');
  return done;
}

const none = async () => null;
const nobody = async () => [];

describe('a call whose request has no response', () => {
  it('gets the id of the matching call in the list of the carrier', async () => {
    const done = await check(silent({}), { listCalls: async () => [atCarrier({})] });
    expect(done).toEqual(['report CA1 in-progress human', 'check again']);
  });

  it('does not get the id of another call', async () => {
    const others = [atCarrier({ from: '+14155550999' }), atCarrier({ sid: 'CA2' })];
    const listCalls = async () => others;
    expect(await check(silent({}), { listCalls }, { taken: ['CA2'] })).toEqual(['check again']);
    expect(await check(silent({}), { listCalls }, { oldest: false })).toEqual(['check again']);
  });

  it('fails after the ring time-out and is not dialled again', async () => {
    expect(await check(silent({ createdAt: ago(20) }), { listCalls: nobody })).toEqual(['check again']);
    expect(await check(silent({ createdAt: ago(40) }), { listCalls: nobody })).toEqual(['fail not_placed']);
  });
});

it('reports to the breaker since when the carrier does not respond, also to status requests', async () => {
  const createdAt = ago(40);
  const listCalls = async () => {
    throw new CarrierError('time-out', 'unknown');
  };
  expect(await check(silent({ createdAt }), { listCalls })).toEqual([
    `cannot be asked since ${createdAt.toISOString()}`,
  ]);
});

describe('a call that the carrier accepted', () => {
  it('follows the state at the carrier', async () => {
    const call = silent({ carrierSid: 'CA1' });
    expect(await check(call, { fetchCall: async () => atCarrier({ status: 'completed' }) })).toEqual([
      'report CA1 completed human',
      'check again',
    ]);
  });

  it('fails when the carrier does not have it', async () => {
    const call = silent({ carrierSid: 'CA1', createdAt: ago(60) });
    expect(await check(call, { fetchCall: none })).toEqual(['fail carrier_lost']);
  });

  it('is ended by the service after its time limit or after the end of the conversation', async () => {
    const fetchCall = async () => atCarrier({});
    const endless = silent({ carrierSid: 'CA1', answeredAt: ago(700) });
    expect(await check(endless, { fetchCall })).toContain('end CA1');
    const over = silent({ carrierSid: 'CA1', answeredAt: ago(20), endedBy: 'assistant' });
    expect(await check(over, { fetchCall })).toContain('end CA1');
    const talking = silent({ carrierSid: 'CA1', answeredAt: ago(20) });
    expect(await check(talking, { fetchCall })).not.toContain('end CA1');
  });

  it('is ended when its time with an answering machine is over, and not before', async () => {
    const fetchCall = async () => atCarrier({ answeredBy: 'machine' });
    const recorded = (fields: Partial<Call>, isPerson = false) =>
      check(silent({ carrierSid: 'CA1', answeredAt: ago(20), ...fields }), { fetchCall }, { isPerson });
    expect(await recorded({})).toEqual(['report CA1 in-progress machine', 'check again']);
    const ended = ['report CA1 in-progress machine', 'check again', 'conclude system voicemail', 'end CA1'];
    expect(await recorded({ hangUpAt: ago(0) })).toEqual(ended);
    const spoken = { endedBy: 'system', endedReason: 'voicemail' } as const;
    expect(await recorded({ ...spoken, hangUpAt: ago(1) })).toEqual(ended);
    expect(await recorded({ hangUpAt: ago(0) }, true)).not.toContain('end CA1');
    expect(await recorded({ ...spoken, hangUpAt: ago(1) }, true)).toEqual(ended);
    expect(await recorded({ hangUpAt: ago(-20) })).not.toContain('end CA1');
    expect(await recorded({ ...spoken, hangUpAt: ago(-20) })).not.toContain('end CA1');
  });

  it('is checked again while the carrier does not respond', async () => {
    const fetchCall = async () => {
      throw new CarrierError('time-out', 'unknown');
    };
    expect(await check(silent({ carrierSid: 'CA1', createdAt: ago(900) }), { fetchCall })).toEqual([]);
  });
});

it('stores a price that is unknown at completion', async () => {
  const done = await check(silent({ endedAt: ago(5), priceCheckAt: ago(1) }), {});
  expect(done).toEqual(['price']);
});
