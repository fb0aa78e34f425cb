import { Injectable, type StreamableFile } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { wrapPieces, arrayElements, jsonStream } from '#src/http/json-stream.js';
import { pageStatement, type CountedFilter, type CountedPage } from '#src/http/pagination/counted-pages.js';
import { DEFAULT_PER_PAGE, StreamedPage } from '#src/http/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { ListLeadsDto } from './dto/list-leads.dto.js';
import {
  dateTime,
  leadJson,
  LEADS_WITH_CAMPAIGN,
  nextAttempt,
  NOT_BEING_REMOVED,
} from './leads.repository.js';
import type { LeadOutcome, LeadStatus, Variables } from './lead.types.js';
import { JsonStreamsService } from './json-streams.service.js';

/** A main lead of an export. */
export interface ExportedLead {
  id: number;
  phone_number: string;
  status: LeadStatus;
  attempts: number;
  next_attempt_at: string | null;
  last_outcome: LeadOutcome | null;
  variables: Variables;
  /** As text, because a Date has no microseconds. */
  position: string;
  created_at: string;
}

/** Rows per batch: each can have 1 MiB of variables with its contacts. */
const BATCH = 4;
/** Without contacts. */
const EXPORT_BATCH = 50;
/** See docs/build/adr/0027. */
const COUNTED = { rows: 'leads l', counters: 'lead_day_counts' };
/**
 * `NOT_BEING_REMOVED` for the counters: a deleted campaign has no other leads. An array, because with a join the
 * planner may read the counters of all accounts.
 */
const OF_CAMPAIGNS = `campaign_id = ANY(ARRAY(
  SELECT id FROM live_campaigns WHERE account_id = $1))`;
const NEWEST_FIRST = 'ORDER BY l.created_at DESC, l.id DESC';

/** The main leads of a user: a page, or all of them as a stream. */
@Injectable()
export class LeadListService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly streams: JsonStreamsService,
  ) {}

  async listLeads(userId: number, query: ListLeadsDto): Promise<StreamedPage | StreamableFile> {
    const filter = await this.filter(userId, query);
    return query.page === undefined && query.per_page === undefined
      ? this.all(filter)
      : this.page(filter, query);
  }

  /** The next main leads of an export, newest first. */
  async findBehind(
    userId: number,
    query: ListLeadsDto,
    last: Pick<ExportedLead, 'id' | 'position'> | null,
  ): Promise<ExportedLead[]> {
    const { where, values } = await this.filter(userId, query);
    const n = values.length;
    const behind = last ? `AND (l.created_at, l.id) < ($${n + 1}::timestamptz, $${n + 2}::int)` : '';
    return this.db.query(
      `SELECT l.id, l.phone_number, l.status, l.attempts, ${nextAttempt('l')} AS next_attempt_at,
              l.last_outcome, l.variables, l.created_at::text AS position, ${dateTime('l.created_at')} AS created_at
         FROM leads l WHERE ${where} ${behind} ${NEWEST_FIRST} LIMIT ${EXPORT_BATCH}`,
      last ? [...values, last.position, last.id] : values,
    );
  }

  private async all(filter: CountedFilter): Promise<StreamableFile> {
    const leads = { ...filter, element: leadJson(), from: LEADS_WITH_CAMPAIGN, table: 'l' };
    return jsonStream(wrapPieces('[', await this.streams.streamArray(leads), ']'));
  }

  /** Reads the page's ids from an index; only its leads are read and rendered, in batches. */
  private async page(
    filter: CountedFilter,
    { page = 1, per_page = DEFAULT_PER_PAGE }: ListLeadsDto,
  ): Promise<StreamedPage> {
    const request = { page, per_page };
    const { text, values } = pageStatement(COUNTED, filter, request);
    const [{ total, ids }]: [CountedPage] = await this.db.query(text, values);
    const read = (batch: number[]): Promise<{ lead: string }[]> =>
      this.db.query(
        `SELECT ${leadJson()}::text AS lead FROM ${LEADS_WITH_CAMPAIGN} WHERE l.id = ANY($1) ${NEWEST_FIRST}`,
        [batch],
      );
    return new StreamedPage(
      arrayElements(ids, BATCH, read, ({ lead }) => lead),
      ids.length,
      total,
      request,
    );
  }

  private async filter(
    userId: number,
    { status, campaign_id, phone_number, date_from, date_to }: ListLeadsDto,
  ): Promise<CountedFilter> {
    const values: unknown[] = [userId];
    const where = ['l.account_id = $1', 'l.main_lead_id IS NULL', NOT_BEING_REMOVED];
    const tallied = [OF_CAMPAIGNS];
    const match = (value: unknown, condition: string, ofCounters = condition): void => {
      if (value === undefined) return;
      const parameter = `$${values.push(value)}`;
      where.push(`l.${condition.replace('?', parameter)}`);
      tallied.push(ofCounters.replace('?', parameter));
    };
    match(status, 'status = ?');
    match(campaign_id, 'campaign_id = ?');
    match(date_from, 'created_at >= ?::date', 'day >= ?::date');
    match(date_to, 'created_at < ?::date + 1', 'day <= ?::date');
    if (phone_number !== undefined) {
      const number = await this.accounts.numberMatch(userId, phone_number);
      // What is no number matches nothing. Counters know no numbers.
      where.push(`l.phone_number ${number?.operator ?? '='} $${values.push(number?.value ?? null)}`);
    }
    return {
      where: where.join(' AND '),
      tallied: phone_number === undefined ? tallied.join(' AND ') : null,
      values,
    };
  }
}
