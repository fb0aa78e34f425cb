import type { HoldSource, LedgerSource } from '../../accounts/ledger-audit.service.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LedgerService } from '../../accounts/ledger.service.js';
import { Call } from '../entities/call.entity.js';

/** Ledger source of calls; a call before its wrap-up has no cost and no entry. */
export const CALL_LEDGER_SOURCE: LedgerSource = {
  kinds: ['call', 'call-carrier'],
  expected: (tx) =>
    tx
      .createQueryBuilder(Call, 'call')
      .select('call.accountId', 'account_id')
      .addSelect('CAST(call.id AS text)', 'reference')
      .addSelect('0 - call.totalCostMicros', 'net_micros'),
};

/** Holds of calls that are not charged yet. */
export const CALL_HOLD_SOURCE: HoldSource = {
  holds: (tx) =>
    tx
      .createQueryBuilder(Call, 'call')
      .select('call.accountId', 'account_id')
      .addSelect('call.apiKeyId', 'api_key_id')
      .addSelect('call.holdMicros', 'hold_micros')
      .where('call.holdMicros <> 0'),
};

export interface CallCharge {
  accountId: number;
  callId: number;
  /** As in `Call`. */
  apiKeyId: number | null;
  /** Null while the carrier's price is unknown; `chargeLateCarrierPrice` charges it later. */
  carrierCostMicros: bigint | null;
  pricePerMinuteMicros: bigint;
  /** From answer to end. */
  durationSeconds: number;
}

export interface CallTotals {
  carrierCostMicros: bigint;
  totalCostMicros: bigint;
}

export interface LateCarrierPrice {
  accountId: number;
  callId: number;
  apiKeyId: number | null;
  carrierCostMicros: bigint;
}

/** Charges calls. The call has taken place, so a charge may take the balance below zero. */
@Injectable()
export class CallChargesService {
  constructor(private readonly ledger: LedgerService) {}

  /** Charges the carrier's cost and the plan's price per started minute; repeating it charges nothing. */
  async chargeCall(tx: EntityManager, call: CallCharge): Promise<CallTotals> {
    const carrierCostMicros = call.carrierCostMicros ?? 0n;
    const totalCostMicros =
      carrierCostMicros + priceOfMinutes(call.durationSeconds, call.pricePerMinuteMicros);
    await this.postCharge(tx, 'call', call, totalCostMicros);
    return { carrierCostMicros, totalCostMicros };
  }

  /** Charges a carrier price that was missing in the charge of the call. @returns false when it was charged before. */
  async chargeLateCarrierPrice(tx: EntityManager, call: LateCarrierPrice): Promise<boolean> {
    return (await this.postCharge(tx, 'call-carrier', call, call.carrierCostMicros)) === 'posted';
  }

  private postCharge(
    tx: EntityManager,
    kind: 'call' | 'call-carrier',
    { accountId, callId, apiKeyId }: LateCarrierPrice | CallCharge,
    amountMicros: bigint,
  ) {
    const reference = String(callId);
    return this.ledger.postEntry(tx, {
      accountId,
      keyId: apiKeyId,
      kind,
      reference,
      amountMicros: -amountMicros,
      mayOverdraw: true,
    });
  }
}

/** Started minutes count in full; a call that was never answered lasted 0 seconds and costs nothing. */
export const priceOfMinutes = (durationSeconds: number, pricePerMinuteMicros: bigint): bigint =>
  BigInt(Math.ceil(durationSeconds / 60)) * pricePerMinuteMicros;
