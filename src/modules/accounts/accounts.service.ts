import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import { parsePartialNumber, readNumber, type ParsedNumber } from '#src/common/phone/phone.js';
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
export interface NumberCondition {
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
   * Lets transactions that count before they write go one by one for each account: locks the accounts, in the order of
   * their ids, until the end of this one.
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
    const read = await this.createNumberParser(userId)(input);
    return 'number' in read ? read.number : null;
  }

  /** The same for several numbers, with the fault of invalid ones: the account is read at most once. */
  createNumberParser(userId: number): (input: string) => Promise<ParsedNumber> {
    let account: Promise<Account> | null = null;
    return async (input) => {
      if (input.trim().startsWith('+')) return readNumber(input, 'US');
      account ??= this.load(userId);
      return readNumber(input, (await account).country);
    };
  }

  /**
   * The condition of a filter by phone number: the E.164 form of the input, or numbers that contain its digits where
   * they are fewer than seven. In a query string an unescaped + is a space. Null: impossible, so nothing has this
   * number.
   */
  async toNumberCondition(userId: number, input: string): Promise<NumberCondition | null> {
    const written = input.replace(/^ /, '+');
    const part = parsePartialNumber(written);
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
