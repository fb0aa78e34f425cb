import { Injectable, type StreamableFile } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { joinArrayElements, streamArrayElements, jsonStream } from '#src/http/json-stream.js';
import {
  countedPageStatement,
  type CountedListFilter,
  type CountedPage,
} from '#src/http/pagination/counted-pages.js';
import { countedDayConditions } from '#src/http/pagination/day-filter.js';
import { DEFAULT_PER_PAGE, StreamedPage } from '#src/http/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { ListLeadsDto } from './dto/list-leads.dto.js';
import {
  dateTimeSql,
  leadJsonSql,
  LEADS_WITH_CAMPAIGN,
  nextAttemptSql,
  HAS_LIVE_CAMPAIGN,
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
const COUNTED_TABLES = { rows: 'leads l', counters: 'lead_day_counts' };
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
    const filter = await this.toFilter(userId, query);
    return query.page === undefined && query.per_page === undefined
      ? this.streamAll(filter)
      : this.readPage(filter, query);
  }

  /** The next main leads of an export, newest first. */
  async findAfter(
    userId: number,
    query: ListLeadsDto,
    last: Pick<ExportedLead, 'id' | 'position'> | null,
  ): Promise<ExportedLead[]> {
    const { where, values } = await this.toFilter(userId, query);
    const n = values.length;
    const behind = last ? `AND (l.created_at, l.id) < ($${n + 1}::timestamptz, $${n + 2}::int)` : '';
    return this.db.query(
      `SELECT l.id, l.phone_number, l.status, l.attempts, ${nextAttemptSql('l')} AS next_attempt_at,
              l.last_outcome, l.variables, l.created_at::text AS position, ${dateTimeSql('l.created_at')} AS created_at
         FROM leads l WHERE ${where} ${behind} ${NEWEST_FIRST} LIMIT ${EXPORT_BATCH}`,
      last ? [...values, last.position, last.id] : values,
    );
  }

  private async streamAll(filter: CountedListFilter): Promise<StreamableFile> {
    const leads = { ...filter, element: leadJsonSql(), from: LEADS_WITH_CAMPAIGN, table: 'l' };
    return jsonStream(joinArrayElements('[', await this.streams.streamArray(leads), ']'));
  }

  /** Reads the page's ids from an index; only its leads are read and rendered, in batches. */
  private async readPage(
    filter: CountedListFilter,
    { page = 1, per_page = DEFAULT_PER_PAGE }: ListLeadsDto,
  ): Promise<StreamedPage> {
    const request = { page, per_page };
    const { text, values } = countedPageStatement(COUNTED_TABLES, filter, request);
    const [{ total, ids }]: [CountedPage] = await this.db.query(text, values);
    const read = (batch: number[]): Promise<{ lead: string }[]> =>
      this.db.query(
        `SELECT ${leadJsonSql()}::text AS lead FROM ${LEADS_WITH_CAMPAIGN} WHERE l.id = ANY($1) ${NEWEST_FIRST}`,
        [batch],
      );
    return new StreamedPage(
      streamArrayElements(ids, BATCH, read, ({ lead }) => lead),
      ids.length,
      total,
      request,
    );
  }

  private async toFilter(userId: number, query: ListLeadsDto): Promise<CountedListFilter> {
    const { status, campaign_id, phone_number } = query;
    const values: unknown[] = [userId];
    const where = ['l.account_id = $1', 'l.main_lead_id IS NULL', HAS_LIVE_CAMPAIGN];
    const tallied = [OF_CAMPAIGNS];
    const match = (value: unknown, condition: string): void => {
      if (value === undefined) return;
      const parameter = `$${values.push(value)}`;
      where.push(`l.${condition.replace('?', parameter)}`);
      tallied.push(condition.replace('?', parameter));
    };
    match(status, 'status = ?');
    match(campaign_id, 'campaign_id = ?');
    const days = countedDayConditions(query, 'l.created_at', (value) => `$${values.push(value)}`);
    where.push(...days.where);
    tallied.push(...days.tallied);
    if (phone_number !== undefined) {
      const number = await this.accounts.toNumberCondition(userId, phone_number);
      // An invalid number matches nothing. Counters have no numbers.
      where.push(`l.phone_number ${number?.operator ?? '='} $${values.push(number?.value ?? null)}`);
    }
    return {
      where: where.join(' AND '),
      tallied: phone_number === undefined ? tallied.join(' AND ') : null,
      edges: days.edges,
      values,
    };
  }
}
