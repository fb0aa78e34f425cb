import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Repository, type FindOptionsWhere } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import { countryOf, parseCarrierNumber } from '#src/common/phone/phone.js';
import { AuditService } from '../audit/audit.service.js';
import {
  toPhoneNumberResponse,
  type PhoneNumberResponse,
  toPhoneNumberView,
  type PhoneNumberView,
} from './dto/phone-number.response.js';
import type { UpdatePhoneNumberDto } from './dto/phone-number-input.dto.js';
import { NO_COUNTRY_CODE, PhoneNumber } from './entities/phone-number.entity.js';
import { PhoneNumberImpossible, PhoneNumberNotFound, PhoneNumberTaken } from './phone-numbers.errors.js';

export interface NewPhoneNumber {
  accountId: number;
  phoneNumber: string;
  smsCapable: boolean;
  /** Null: the subscription does not end. */
  expiresAt: Date | null;
  nickname: string | null;
}

@Injectable()
export class PhoneNumbersService {
  constructor(
    @InjectRepository(PhoneNumber) private readonly numbers: Repository<PhoneNumber>,
    private readonly audit: AuditService,
  ) {}

  listPhoneNumbers(userId: number): Promise<PhoneNumberResponse[]> {
    return this.list({ accountId: userId });
  }

  /** Numbers that can send an SMS now. */
  listSmsCapable(userId: number): Promise<PhoneNumberResponse[]> {
    return this.list(activeOnes({ accountId: userId, smsCapable: true }));
  }

  async findPhoneNumber(userId: number, id: number): Promise<PhoneNumberView | null> {
    return this.view({ id, accountId: userId });
  }

  /** Those of the ids that are numbers of the user, in no particular order. */
  async findPhoneNumbers(userId: number, ids: number[]): Promise<PhoneNumberView[]> {
    if (ids.length === 0) return [];
    return (await this.numbers.findBy({ accountId: userId, id: In(ids) })).map(toPhoneNumberView);
  }

  /** The number to call from where nothing else was chosen; null: there is none. */
  async findOldestActive(userId: number): Promise<PhoneNumberView | null> {
    return this.view(activeOnes({ accountId: userId }));
  }

  /** The account of the called number. */
  async findByE164(e164: string): Promise<PhoneNumberView | null> {
    return this.view({ phoneNumber: e164, state: 'active' });
  }

  /** @throws PhoneNumberNotFound */
  async updatePhoneNumber(
    userId: number,
    id: number,
    { nickname }: UpdatePhoneNumberDto,
  ): Promise<PhoneNumberResponse> {
    const number = await this.numbers.findOneBy({ id, accountId: userId });
    if (!number) throw new PhoneNumberNotFound();
    if (nickname !== undefined) {
      number.nickname = nickname;
      await this.audit.change(async (tx, record) => {
        await tx.update(PhoneNumber, id, { nickname });
        record({ accountId: userId, action: 'phone-number.update', resourceId: id, fields: ['nickname'] });
      });
    }
    return toPhoneNumberResponse(number);
  }

  /** @throws PhoneNumberImpossible, PhoneNumberTaken */
  async addPhoneNumber({ phoneNumber, expiresAt, ...rest }: NewPhoneNumber): Promise<PhoneNumberView> {
    const e164 = parseCarrierNumber(phoneNumber, 'US');
    if (e164 === null) throw new PhoneNumberImpossible();
    const number = this.numbers.create({
      ...rest,
      phoneNumber: e164,
      countryCode: countryOf(e164) ?? NO_COUNTRY_CODE,
      subscriptionExpiresAt: expiresAt,
    });
    try {
      await this.audit.change(async (tx, record) => {
        await tx.insert(PhoneNumber, number);
        record({ accountId: number.accountId, action: 'phone-number.create', resourceId: number.id });
      });
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new PhoneNumberTaken();
      throw error;
    }
    return toPhoneNumberView(number);
  }

  private async list(where: Where): Promise<PhoneNumberResponse[]> {
    const numbers = await this.numbers.find({ where, order: { createdAt: 'DESC', id: 'DESC' } });
    return numbers.map(toPhoneNumberResponse);
  }

  private async view(where: Where): Promise<PhoneNumberView | null> {
    const number = await this.numbers.findOne({ where, order: { createdAt: 'ASC', id: 'ASC' } });
    return number && toPhoneNumberView(number);
  }
}

type Where = FindOptionsWhere<PhoneNumber> | FindOptionsWhere<PhoneNumber>[];

/** The same rule as `hasActiveSubscription`, and as the view `active_phone_numbers` of the database. */
const activeOnes = (where: FindOptionsWhere<PhoneNumber>): FindOptionsWhere<PhoneNumber>[] => [
  { ...where, state: 'active', subscriptionExpiresAt: IsNull() },
  { ...where, state: 'active', subscriptionExpiresAt: MoreThan(new Date()) },
];
