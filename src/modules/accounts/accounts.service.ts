import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import type { LockedRowPolicy } from '#src/common/persistence/lock-skipping-batches.js';
import { partialNumber, readNumber, type NumberReading } from '#src/common/phone/phone.js';
import { toMeResponse, type MeResponse } from './dto/accounts.response.js';
import { Account } from './entities/account.entities.js';
import type { PlanLimits } from './plans.service.js';

/** An account as other modules see it. */
export interface AccountView {
  id: number;
  country: string;
  balanceMicros: bigint;
  /** The balance without what running calls hold. */
  availableMicros: bigint;
  /** ISO 3166-1 alpha-2: where calls and messages may go; null: everywhere. */
  allowedCountries: string[] | null;
  plan: PlanLimits & { name: string };
}

/** A condition of SQL on a column with phone numbers; `value` is a parameter. */
export interface NumberMatch {
  operator: '=' | 'LIKE';
  value: string;
}

@Injectable()
export class AccountsService {
  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  async getMe(userId: number): Promise<MeResponse> {
    return toMeResponse(await this.load(userId));
  }

  /** Within a transaction pass its manager, so that no second connection is needed. */
  async accountView(userId: number, tx: EntityManager = this.accounts.manager): Promise<AccountView> {
    return this.load(userId, tx);
  }

  /**
   * Lets transactions that count before they write go one by one for each account: locks it until the end of this one.
   */
  async lockAccountView(tx: EntityManager, userId: number): Promise<AccountView> {
    const account = await tx
      .createQueryBuilder(Account, 'account')
      .innerJoinAndSelect('account.plan', 'plan')
      .where({ id: userId })
      .setLock('for_no_key_update', undefined, ['account'])
      .getOne();
    if (!account) throw new Unauthenticated();
    return account;
  }

  /**
   * The same for several accounts, locked in the order of their ids.
   *
   * @param whenLocked by somebody else: `wait`, or `skip` the account, which is absent then
   */
  async lockAccountViews(
    tx: EntityManager,
    userIds: readonly number[],
    whenLocked: LockedRowPolicy,
  ): Promise<Map<number, AccountView>> {
    const query = tx
      .createQueryBuilder(Account, 'account')
      .innerJoinAndSelect('account.plan', 'plan')
      .where('account.id = ANY(:userIds)', { userIds })
      .orderBy('account.id')
      .setLock('for_no_key_update', undefined, ['account']);
    const accounts = await (whenLocked === 'skip' ? query.setOnLocked('skip_locked') : query).getMany();
    return new Map(accounts.map((account) => [account.id, account]));
  }

  /** E.164 of what a person wrote; a national number is read in the account's country. Null: impossible. */
  async formatNumber(userId: number, input: string): Promise<string | null> {
    const read = await this.numberReader(userId)(input);
    return 'number' in read ? read.number : null;
  }

  /** The same for several numbers, with what is wrong with those that are none: the account is read at most once. */
  numberReader(userId: number): (input: string) => Promise<NumberReading> {
    let account: Promise<Account> | null = null;
    return async (input) => {
      if (input.trim().startsWith('+')) return readNumber(input, 'US');
      account ??= this.load(userId);
      return readNumber(input, (await account).country);
    };
  }

  /**
   * What a filter by phone number matches: the E.164 form of what was given, or numbers that contain fewer than seven
   * digits. In a query string an unescaped + is a space. Null: impossible, so nothing has this number.
   */
  async numberMatch(userId: number, input: string): Promise<NumberMatch | null> {
    const written = input.replace(/^ /, '+');
    const part = partialNumber(written);
    if (part !== null) return { operator: 'LIKE', value: `%${part}%` };
    const number = await this.formatNumber(userId, written);
    return number === null ? null : { operator: '=', value: number };
  }

  private async load(userId: number, tx: EntityManager = this.accounts.manager): Promise<Account> {
    // Not `findOne`: with a relation it sends two queries.
    const [account] = await tx.find(Account, { where: { id: userId }, relations: { plan: true } });
    // The token was valid before: the account is being removed.
    if (!account) throw new Unauthenticated();
    return account;
  }
}
