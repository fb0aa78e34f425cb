import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { addDayConditions } from '#src/http/pagination/day-filter.js';
import { toAmount } from '#src/common/money/micros.js';
import { checkDayRange, timeZoneOfQuery } from '#src/common/validation/day-range.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { type DailyBalancesDto, type ListLedgerDto, MAX_LEDGER_DAYS } from './dto/accounts.dto.js';
import {
  toLedgerEntryResponse,
  type DailyBalancesResponse,
  type LedgerEntryResponse,
} from './dto/accounts.response.js';
import { LedgerEntry, type LedgerKind } from './entities/account.entities.js';

/** Kinds whose reference is the id of a call. */
const OF_CALLS: LedgerKind[] = ['call', 'call-carrier'];

/**
 * Back from the balance of now: entries that were written together may stand in another order than their times, so the
 * balance beside the last entry of a day need not be that of its end. $1 account, $2 and $3 first and last day, $4 zone.
 */
const DAILY = `
  WITH sums AS (
    SELECT least((created_at AT TIME ZONE $4)::date, $3::date + 1) AS day, sum(amount_micros) AS change,
           sum(amount_micros) FILTER (WHERE amount_micros > 0) AS credits,
           -sum(amount_micros) FILTER (WHERE amount_micros < 0) AS debits
      FROM ledger_entries WHERE account_id = $1 AND created_at >= $2::date::timestamp AT TIME ZONE $4
     GROUP BY 1),
  days AS (
    SELECT dates.day::date AS day, coalesce(credits, 0) AS credits, coalesce(debits, 0) AS debits,
           balance_micros - coalesce(sum(change) OVER later, 0) AS balance
      FROM accounts
     CROSS JOIN generate_series($2::date::timestamp, $3::date + 1, interval '1 day') AS dates (day)
      LEFT JOIN sums ON sums.day = dates.day::date
     WHERE accounts.id = $1
    WINDOW later AS (ORDER BY dates.day DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
  SELECT day::text AS date, balance::text, credits::text, debits::text FROM days WHERE day <= $3::date ORDER BY day`;

@Injectable()
export class LedgerHistoryService {
  constructor(@InjectRepository(LedgerEntry) private readonly entries: Repository<LedgerEntry>) {}

  /** Newest first: ids follow the order in which the entries moved the account's balance. */
  async pageOfEntries(userId: number, query: ListLedgerDto): Promise<Page<LedgerEntryResponse>> {
    const { kind, call_id } = query;
    const builder = this.entries.createQueryBuilder('entry').where('entry.accountId = :userId', { userId });
    if (kind) builder.andWhere('entry.kind = :kind', { kind });
    if (call_id !== undefined) {
      builder.andWhere('entry.kind IN (:...kinds) AND entry.reference = :reference', {
        kinds: OF_CALLS,
        reference: String(call_id),
      });
    }
    addDayConditions(builder, 'entry.createdAt', query);
    const [entries, total] = await builder
      .orderBy('entry.id', 'DESC')
      .offset(pageOffset(query))
      .limit(query.per_page)
      .getManyAndCount();
    return new Page(entries.map(toLedgerEntryResponse), total, query);
  }

  /** @throws Invalid */
  async dailyBalances(userId: number, query: DailyBalancesDto): Promise<DailyBalancesResponse> {
    checkDayRange(query, MAX_LEDGER_DAYS);
    const timezone = timeZoneOfQuery(query);
    const rows: Record<'date' | 'balance' | 'credits' | 'debits', string>[] = await this.entries.query(
      DAILY,
      [userId, query.from, query.to, timezone],
    );
    const days = rows.map(({ date, balance, credits, debits }) => ({
      date,
      balance: toAmount(balance),
      credits: toAmount(credits),
      debits: toAmount(debits),
    }));
    return { timezone, days };
  }
}
