import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { toE164 } from '#src/common/phone/phone.js';
import { toMeResponse, type MeResponse } from './dto/accounts.dto.js';
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

@Injectable()
export class AccountsService {
  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  async me(userId: number): Promise<MeResponse> {
    return toMeResponse(await this.load(userId));
  }

  /** Within a transaction pass its manager, so that no second connection is needed. */
  async view(userId: number, tx: EntityManager = this.accounts.manager): Promise<AccountView> {
    return this.load(userId, tx);
  }

  /** E.164 of what a person wrote; a national number is read in the account's country. Null: impossible. */
  formatNumber(userId: number, input: string): Promise<string | null> {
    return this.numberFormatter(userId)(input);
  }

  /** The same for several numbers: the account is read at most once. */
  numberFormatter(userId: number): (input: string) => Promise<string | null> {
    let account: Promise<Account> | null = null;
    return async (input) => {
      if (input.trim().startsWith('+')) return toE164(input, 'US');
      account ??= this.load(userId);
      return toE164(input, (await account).country);
    };
  }

  /** The same for a query string, where an unescaped + is a space. Null: impossible, so nothing has this number. */
  formatNumberFilter(userId: number, input: string): Promise<string | null> {
    return this.formatNumber(userId, input.replace(/^ /, '+'));
  }

  /** As a part of a larger statement: the account's plan. @param account names the parameter of its id */
  sqlOfPlan(account = '$1'): string {
    return `SELECT p.* FROM accounts a JOIN plans p ON p.id = a.plan_id WHERE a.id = ${account}`;
  }

  private async load(userId: number, tx: EntityManager = this.accounts.manager): Promise<Account> {
    // Not `findOne`: with a relation it sends two queries.
    const [account] = await tx.find(Account, { where: { id: userId }, relations: { plan: true } });
    // The token was valid before: the account is being removed.
    if (!account) throw new Unauthenticated();
    return account;
  }
}
