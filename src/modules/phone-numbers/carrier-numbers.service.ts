import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { selectChangedColumns } from '#src/common/persistence/columns.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { type CarrierNumber, CarrierNumbers } from '../telephony/carrier-numbers.js';
import { OWNED_STATES, PhoneNumber } from './entities/phone-number.entity.js';

export const NUMBER_DIFFERENCES = {
  unassigned: 'belongs to no account: the carrier bills it',
  missing: 'the carrier does not have it',
  unconnected: 'calls to it do not come to PUBLIC_URL',
} as const;

export interface NumberDifference {
  /** E.164 */
  phoneNumber: string;
  /** Null: none. */
  accountId: number | null;
  difference: keyof typeof NUMBER_DIFFERENCES;
}

export interface NumberSync {
  /** Numbers at the carrier. */
  listed: number;
  /** Numbers of accounts whose identifier or SMS capability was taken over from the carrier. */
  updated: number;
  differences: NumberDifference[];
}

/** Compares the numbers of accounts with those at the carrier; for the operator's commands. */
@Injectable()
export class CarrierNumbersService {
  constructor(
    @InjectRepository(PhoneNumber) private readonly numbers: Repository<PhoneNumber>,
    private readonly carrier: CarrierNumbers,
    private readonly audit: AuditService,
  ) {}

  /** @throws CarrierError */
  async syncNumbers(): Promise<NumberSync> {
    const listed = await this.carrier.listNumbers();
    const atCarrier = new Map(listed.map((number) => [number.phoneNumber, number]));
    const owned = await this.inUse();
    const byNumber = new Map(owned.map((number) => [number.phoneNumber, number]));
    let updated = 0;
    const differences: NumberDifference[] = [];
    for (const { phoneNumber, accountId } of owned.filter(({ state }) => state === 'active')) {
      const number = atCarrier.get(phoneNumber);
      if (!number) differences.push({ phoneNumber, accountId, difference: 'missing' });
      else if (await this.takeOver(number)) updated++;
    }
    for (const { phoneNumber, isConnected } of listed) {
      const accountId = byNumber.get(phoneNumber)?.accountId ?? null;
      if (accountId === null) differences.push({ phoneNumber, accountId, difference: 'unassigned' });
      else if (!isConnected) differences.push({ phoneNumber, accountId, difference: 'unconnected' });
    }
    return { listed: listed.length, updated, differences };
  }

  /**
   * Connects the numbers of accounts, or the one given (E.164), whose calls do not come to this service.
   * @returns those that were changed @throws CarrierError
   */
  async connectNumbers(only: string | null): Promise<string[]> {
    const owned = new Map((await this.inUse()).map((number) => [number.phoneNumber, number]));
    const listed = (await this.carrier.listNumbers()).filter(
      ({ phoneNumber, isConnected }) =>
        owned.has(phoneNumber) && !isConnected && (only === null || phoneNumber === only),
    );
    for (const { sid, phoneNumber } of listed) {
      await this.carrier.connectNumber(sid);
      await this.recordConnection(owned.get(phoneNumber));
    }
    return listed.map(({ phoneNumber }) => phoneNumber);
  }

  private async recordConnection(number: PhoneNumber | undefined): Promise<void> {
    if (!number) return;
    const { id, accountId } = number;
    const details = { connected: true };
    await this.audit.change(async (_tx, record) =>
      record({ accountId, action: 'phone-number.update', resourceId: id, details }),
    );
  }

  private inUse(): Promise<PhoneNumber[]> {
    return this.numbers.find({ where: { state: In(OWNED_STATES) }, withDeleted: true, order: { id: 'ASC' } });
  }

  private takeOver({ phoneNumber, sid: carrierSid, smsCapable }: CarrierNumber): Promise<boolean> {
    return this.audit.change(async (tx, record) => {
      const number = await tx.findOne(PhoneNumber, {
        where: { phoneNumber, state: 'active' },
        withDeleted: true,
        lock: { mode: 'pessimistic_write' },
      });
      const columns = number && selectChangedColumns<PhoneNumber>({ carrierSid, smsCapable }, number);
      if (!columns || Object.keys(columns).length === 0) return false;
      const { id, accountId } = number;
      await tx.update(PhoneNumber, { id }, columns);
      record({
        accountId,
        action: 'phone-number.update',
        resourceId: id,
        fields: changedFields(columns),
        details: { sms_capable: columns.smsCapable },
      });
      return true;
    });
  }
}
