import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { CallChargesService, priceOfMinutes } from './call-charges.service.js';
import { LedgerService, type LedgerPosting, type PostingOutcome } from '../../accounts/ledger.service.js';

class FakeLedger extends LedgerService {
  readonly posted: LedgerPosting[] = [];

  override async postEntry(_: EntityManager, posting: LedgerPosting): Promise<PostingOutcome> {
    const known = this.posted.some(({ kind, reference }) => {
      return kind === posting.kind && reference === posting.reference;
    });
    if (!known) this.posted.push(posting);
    return known ? 'repeated' : 'posted';
  }
}

const tx = {} as EntityManager;
const call = { accountId: 1, callId: 7, apiKeyId: 3, pricePerMinuteMicros: 50_000n };

describe('the price of minutes', () => {
  it.each([
    [0, 0n],
    [1, 50_000n],
    [60, 50_000n],
    [61, 100_000n],
    [600, 500_000n],
  ])('%i seconds', (seconds, price) => {
    expect(priceOfMinutes(seconds, 50_000n)).toBe(price);
  });
});

describe('CallChargesService', () => {
  it('charges the carrier’s cost and the minutes, also below zero', async () => {
    const ledger = new FakeLedger();
    const charges = new CallChargesService(ledger);
    const totals = await charges.chargeCall(tx, { ...call, carrierCostMicros: 28_000n, durationSeconds: 61 });
    expect(totals).toEqual({ carrierCostMicros: 28_000n, totalCostMicros: 128_000n });
    expect(ledger.posted).toEqual([
      { accountId: 1, keyId: 3, kind: 'call', reference: '7', amountMicros: -128_000n, mayOverdraw: true },
    ]);
  });

  it('returns the same totals for a repeated charge, without a second entry', async () => {
    const ledger = new FakeLedger();
    const charges = new CallChargesService(ledger);
    const charge = { ...call, carrierCostMicros: null, durationSeconds: 1 };
    expect(await charges.chargeCall(tx, charge)).toEqual(await charges.chargeCall(tx, charge));
    expect(ledger.posted).toHaveLength(1);
  });

  it('charges a late carrier price once', async () => {
    const ledger = new FakeLedger();
    const charges = new CallChargesService(ledger);
    await charges.chargeCall(tx, { ...call, carrierCostMicros: null, durationSeconds: 1 });
    const late = { accountId: 1, callId: 7, apiKeyId: 3, carrierCostMicros: 14_000n };
    expect(await charges.chargeLateCarrierPrice(tx, late)).toBe(true);
    expect(await charges.chargeLateCarrierPrice(tx, late)).toBe(false);
    expect(ledger.posted.map(({ kind, amountMicros }) => [kind, amountMicros])).toEqual([
      ['call', -50_000n],
      ['call-carrier', -14_000n],
    ]);
  });
});
