import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import { toMicros } from '#src/common/money/micros.js';
import { isCountry } from '#src/common/phone/phone.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import type { AuditDetails } from '../audit/audit.types.js';
import { Account, LedgerEntry } from './entities/account.entities.js';
import { LedgerService } from './ledger.service.js';
import { OperatorError } from './accounts.errors.js';
import { PlansService } from './plans.service.js';

export interface NewAccount {
  name: string;
  email: string;
  /** Name of a plan. */
  plan: string;
  /** ISO 3166-1 alpha-2: where a national phone number is read. */
  country: string;
}

export interface TopUp {
  /** False: the same top-up was posted before. */
  posted: boolean;
  /** After the top-up, in micro-units. */
  balanceMicros: bigint;
}

/** What operators do with accounts; never reached through the API. */
@Injectable()
export class AccountsAdminService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly plans: PlansService,
    private readonly ledger: LedgerService,
    private readonly audit: AuditService,
  ) {}

  /** @throws OperatorError when the plan is unknown, the country malformed or the e-mail address taken. */
  async createAccount({ name, email, plan, country }: NewAccount): Promise<Account> {
    const { id: planId } = await this.plans.findPlan(plan);
    if (!/^[A-Z]{2}$/.test(country))
      throw new OperatorError('A country is two capital letters, for example US.');
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new OperatorError('That is no e-mail address.');
    try {
      const { id } = await this.audit.change(async (tx, record) => {
        const created = await tx.save(
          tx.create(Account, { name, email, planId, country, balanceMicros: 0n }),
        );
        record({
          accountId: created.id,
          action: 'account.create',
          resourceId: created.id,
          details: { plan, country },
        });
        return created;
      });
      return await this.accounts.findOneOrFail({ where: { id }, relations: { plan: true } });
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION)
        throw new OperatorError(`There is an account with ${email} already.`);
      throw error;
    }
  }

  listAccounts(): Promise<Account[]> {
    return this.accounts.find({ relations: { plan: true }, order: { id: 'ASC' } });
  }

  /** @throws OperatorError when there is no such account. */
  async findAccount(email: string): Promise<Account> {
    const account = await this.accounts.findOne({ where: { email }, relations: { plan: true } });
    if (!account) throw new OperatorError(`There is no account with ${email}: "accounts list" shows all.`);
    return account;
  }

  /** @throws OperatorError when the account or the plan is unknown. */
  async setPlan(email: string, plan: string): Promise<void> {
    const [account, { id: planId }] = [await this.findAccount(email), await this.plans.findPlan(plan)];
    await this.update(account.id, { planId }, { plan });
  }

  /**
   * Where the account may call and write to: ISO 3166-1 alpha-2 codes, null for everywhere.
   * @throws OperatorError when there is no such account or no such country.
   */
  async setCountries(email: string, codes: string[] | null): Promise<void> {
    const unknown = codes?.find((code) => !isCountry(code));
    if (unknown !== undefined)
      throw new OperatorError(`${unknown} is no country that has telephone numbers.`);
    const { id } = await this.findAccount(email);
    await this.update(id, { allowedCountries: codes }, {});
  }

  /**
   * Adds a decimal amount. The reference names the payment: the same one again adds nothing.
   * @throws OperatorError when the amount is not positive or the reference names another payment.
   */
  async topUp(email: string, amount: string, reference: string): Promise<TopUp> {
    const amountMicros = positive(amount);
    if (reference.trim() === '')
      throw new OperatorError('A top-up needs a reference: the same one again adds nothing.');
    const { id: accountId } = await this.findAccount(email);
    return this.audit.change(async (tx, record) => {
      const posting = { accountId, kind: 'top-up', reference, amountMicros, mayOverdraw: true } as const;
      const posted = (await this.ledger.postEntry(tx, posting)) === 'posted';
      if (!posted) await this.requireSame(tx, posting);
      else record({ accountId, action: 'account.top-up', resourceId: accountId, details: { amount } });
      const { balanceMicros } = await tx.findOneByOrFail(Account, { id: accountId });
      return { posted, balanceMicros };
    });
  }

  private async update(id: number, columns: Partial<Account>, details: AuditDetails): Promise<void> {
    await this.audit.change(async (tx, record) => {
      await tx.update(Account, { id }, columns);
      const fields = changedFields(columns);
      record({ accountId: id, action: 'account.update', resourceId: id, fields, details });
    });
  }

  private async requireSame(
    tx: EntityManager,
    {
      accountId,
      kind,
      reference,
      amountMicros,
    }: Pick<LedgerEntry, 'accountId' | 'kind' | 'reference' | 'amountMicros'>,
  ): Promise<void> {
    const entry = await tx.findOneBy(LedgerEntry, { kind, reference });
    if (entry?.accountId === accountId && entry.amountMicros === amountMicros) return;
    throw new OperatorError(`The reference ${reference} names another top-up.`);
  }
}

function positive(amount: string): bigint {
  try {
    const micros = toMicros(amount);
    if (micros > 0n) return micros;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new OperatorError('The amount must be a positive decimal number, for example 25.00.');
}
