import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Ledger } from './ledger.js';

export interface CallCharge {
  accountId: number;
  callId: number;
  /** Null while the carrier has not told its price; `chargeLateCarrierPrice` takes it later. */
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
  carrierCostMicros: bigint;
}

/** What calls cost. The talk has taken place, so a charge may take the balance below zero. */
@Injectable()
export class CallCharges {
  constructor(private readonly ledger: Ledger) {}

  /** Takes the carrier's cost and the plan's price per started minute; a repeated call takes nothing. */
  async charge(tx: EntityManager, call: CallCharge): Promise<CallTotals> {
    const carrierCostMicros = call.carrierCostMicros ?? 0n;
    const totalCostMicros = carrierCostMicros + minutesPrice(call.durationSeconds, call.pricePerMinuteMicros);
    await this.take(tx, 'call', call, totalCostMicros);
    return { carrierCostMicros, totalCostMicros };
  }

  /** For a call that was charged without the carrier's cost. @returns false when it was taken before. */
  async chargeLateCarrierPrice(tx: EntityManager, call: LateCarrierPrice): Promise<boolean> {
    return (await this.take(tx, 'call-carrier', call, call.carrierCostMicros)) === 'posted';
  }

  private take(
    tx: EntityManager,
    kind: 'call' | 'call-carrier',
    { accountId, callId }: LateCarrierPrice | CallCharge,
    amountMicros: bigint,
  ) {
    const reference = String(callId);
    return this.ledger.post(tx, {
      accountId,
      kind,
      reference,
      amountMicros: -amountMicros,
      floorMicros: null,
    });
  }
}

/** Every started minute counts whole; a call that was never answered lasted 0 seconds and costs nothing. */
export const minutesPrice = (durationSeconds: number, pricePerMinuteMicros: bigint): bigint =>
  BigInt(Math.ceil(durationSeconds / 60)) * pricePerMinuteMicros;
