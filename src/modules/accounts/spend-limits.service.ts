import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { amountToMicros, toAmount } from '#src/common/money/micros.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { AuditService } from '../audit/audit.service.js';
import { type LimitRefusal, SpendLimitExceeded } from './accounts.errors.js';
import type { AccountView } from './accounts.service.js';
import { callBudget, type CallBudget } from './call-budget.js';
import type { SpendLimitResponse } from './dto/spend-limit.response.js';
import type { UpdateSpendLimitDto } from './dto/spend-limit.dto.js';
import { SpendAlert, SpendCounter, WHOLE_ACCOUNT } from './entities/spending.entities.js';
import { endOfHour } from './spend-hour.js';

/** Who spends: an account, by one of its API keys or (null) by no key. */
export interface Spender {
  accountId: number;
  keyId: number | null;
}

/** What the tighter of two limits leaves; less than 0 where carrier costs exceeded it. */
export interface SpendAllowance {
  leftMicros: bigint;
  /** Whether it is the limit of the API key. */
  isOfKey: boolean;
}

export interface HourlySpending {
  /** Null: no limit. */
  limitMicros: bigint | null;
  /** Charged in this hour, and held by running calls. */
  spentMicros: bigint;
}

export type SpendAlertView = Pick<SpendAlert, 'id' | 'accountId' | 'hour' | 'limitMicros' | 'spentMicros'> & {
  /** Null: the limit of the account. */
  keyId: number | null;
};

interface SpendingRow {
  key_id: number;
  limit_micros: string | null;
  spent_micros: string;
}

/** Limits of what an account and its API keys spend in an hour of the clock (UTC); see ADR 51. */
@Injectable()
export class SpendLimitsService {
  constructor(
    @InjectRepository(SpendCounter) private readonly counters: Repository<SpendCounter>,
    private readonly audit: AuditService,
  ) {}

  async getLimit(userId: number): Promise<SpendLimitResponse> {
    const { limitMicros, spentMicros } = await this.findSpending({ accountId: userId, keyId: null });
    return {
      spend_limit_per_hour: limitMicros === null ? null : toAmount(limitMicros),
      spent_this_hour: toAmount(spentMicros),
      hour_ends_at: toIsoMicros(endOfHour(new Date())),
    };
  }

  async updateLimit(
    userId: number,
    { spend_limit_per_hour: limit }: UpdateSpendLimitDto,
  ): Promise<SpendLimitResponse> {
    if (limit !== undefined) {
      await this.audit.change(async (tx, record) => {
        await this.setLimit(tx, { accountId: userId, keyId: null }, limit);
        const fields = ['spend_limit_per_hour'];
        const details = { spend_limit_per_hour: limit };
        record({ accountId: userId, action: 'account.update', resourceId: userId, fields, details });
      });
    }
    return this.getLimit(userId);
  }

  /** @param limit units of the currency; null: none */
  async setLimit(tx: EntityManager, { accountId, keyId }: Spender, limit: number | null): Promise<void> {
    await lockAccount(tx, accountId);
    await tx.query(
      `INSERT INTO spend_counters (account_id, key_id, limit_micros) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, key_id) DO UPDATE SET limit_micros = EXCLUDED.limit_micros`,
      [accountId, keyId ?? WHOLE_ACCOUNT, limit === null ? null : String(amountToMicros(limit))],
    );
    // One that is below what is spent already is reached at once.
    await this.noteLimits(tx, { accountId, keyId }, 1n);
  }

  async findSpending(
    { accountId, keyId }: Spender,
    db: EntityManager = this.counters.manager,
  ): Promise<HourlySpending> {
    const spending = await this.spendingOf(accountId, db);
    return spending.get(keyId ?? WHOLE_ACCOUNT) ?? { limitMicros: null, spentMicros: 0n };
  }

  /** By the ids of API keys; those that never spent and have no limit are absent. */
  async spendingOf(
    accountId: number,
    db: EntityManager = this.counters.manager,
  ): Promise<Map<number, HourlySpending>> {
    const rows: SpendingRow[] = await db.query(
      'SELECT key_id, limit_micros, spent_micros FROM spending WHERE account_id = $1',
      [accountId],
    );
    return new Map(
      rows.map(({ key_id, limit_micros: limit, spent_micros }) => [
        key_id,
        { limitMicros: limit === null ? null : BigInt(limit), spentMicros: BigInt(spent_micros) },
      ]),
    );
  }

  /** In the order of the spenders; null: no limit. Who acts on it holds the locks of the accounts. */
  async findAllowances(db: EntityManager, spenders: readonly Spender[]): Promise<(SpendAllowance | null)[]> {
    if (spenders.length === 0) return [];
    const rows: { n: string; key_id: number; left_micros: string }[] = await db.query(
      `SELECT spender.n, tighter.key_id, tighter.left_micros
         FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS spender (account_id, key_id, n)
        CROSS JOIN LATERAL (
          SELECT spending.key_id, left_micros FROM spending
           WHERE spending.account_id = spender.account_id AND spending.key_id IN (${WHOLE_ACCOUNT}, spender.key_id)
             AND limit_micros IS NOT NULL
           ORDER BY left_micros LIMIT 1) tighter`,
      [spenders.map(({ accountId }) => accountId), spenders.map(({ keyId }) => keyId)],
    );
    const byNumber = new Map(rows.map((row) => [Number(row.n), row]));
    return spenders.map((_, index) => {
      const row = byNumber.get(index + 1);
      return row ? { leftMicros: BigInt(row.left_micros), isOfKey: row.key_id !== WHOLE_ACCOUNT } : null;
    });
  }

  /**
   * The budget of a call within balance and limits. The caller holds the lock of the account. Null: the balance pays
   * for no minute.
   * @throws SpendLimitExceeded the limits leave less than a minute
   */
  async budgetOf(
    tx: EntityManager,
    account: AccountView,
    keyId: number | null,
    wantedSeconds: number,
  ): Promise<CallBudget | null> {
    const budget = callBudget(account, wantedSeconds);
    const [allowance = null] = await this.findAllowances(tx, [{ accountId: account.id, keyId }]);
    if (budget === null || allowance === null) return budget;
    if (leavesCall(account, allowance)) return callBudget(withAllowance(account, allowance), wantedSeconds);
    throw new SpendLimitExceeded({
      accountId: account.id,
      keyId,
      neededMicros: account.plan.pricePerMinuteMicros,
      isOfKey: allowance.isOfKey,
    });
  }

  /** A price that no limit covers. @throws SpendLimitExceeded */
  async requireAllowance(db: EntityManager, spender: Spender, priceMicros: bigint): Promise<void> {
    const [allowance = null] = await this.findAllowances(db, [spender]);
    if (priceMicros > 0n && allowance !== null && allowance.leftMicros < priceMicros)
      throw new SpendLimitExceeded({ ...spender, neededMicros: priceMicros, isOfKey: allowance.isOfKey });
  }

  /** The error of a payment that `pay_in_order` refused. */
  async refusalOf(db: EntityManager, spender: Spender, priceMicros: bigint): Promise<SpendLimitExceeded> {
    const [allowance = null] = await this.findAllowances(db, [spender]);
    return new SpendLimitExceeded({
      ...spender,
      neededMicros: priceMicros,
      isOfKey: allowance?.isOfKey ?? false,
    });
  }

  /** The limits have refused this. In the transaction that counted, if it is committed; else see `noteRefusals`. */
  async noteLimits(db: EntityManager, { accountId, keyId }: Spender, neededMicros: bigint): Promise<void> {
    await db.query('SELECT note_spend_limits($1, $2, $3)', [accountId, keyId, String(neededMicros)]);
  }

  /** Notes the refusal of a transaction, which was rolled back with it. */
  async noteRefusals<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SpendLimitExceeded) await this.noteRefusal(error.refusal);
      throw error;
    }
  }

  private async noteRefusal({ accountId, keyId, neededMicros }: LimitRefusal): Promise<void> {
    await this.noteLimits(this.counters.manager, { accountId, keyId }, neededMicros);
  }

  async findAlert(id: number): Promise<SpendAlertView | null> {
    const alert = await this.counters.manager.findOneBy(SpendAlert, { id });
    return alert && { ...alert, keyId: alert.keyId === WHOLE_ACCOUNT ? null : alert.keyId };
  }
}

/** The account with no more available than this. */
export const withAllowance = (account: AccountView, allowance: SpendAllowance | null): AccountView =>
  allowance === null || allowance.leftMicros >= account.availableMicros
    ? account
    : { ...account, availableMicros: allowance.leftMicros };

/** As `callBudget`, and `limits_allow_call` in SQL. */
export const leavesCall = (
  { plan: { pricePerMinuteMicros } }: Pick<AccountView, 'plan'>,
  { leftMicros }: SpendAllowance,
): boolean => leftMicros > 0n && leftMicros >= pricePerMinuteMicros;
