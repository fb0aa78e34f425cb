import { Injectable, type StreamableFile } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { between, elements, jsonStream } from '#src/common/http/json-stream.js';
import { offsetOf, StreamedPage } from '#src/common/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DEFAULT_PER_PAGE, type ListLeadsDto } from './dto/lead.response.js';
import {
  dateTime,
  leadJson,
  LEADS_WITH_CAMPAIGN,
  nextAttempt,
  NOT_BEING_REMOVED,
} from './leads.repository.js';
import type { LeadOutcome, LeadStatus, Variables } from './lead.types.js';
import { JsonStreamsService } from './json-streams.service.js';

interface Filter {
  where: string;
  values: unknown[];
}

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

  private async all(filter: Filter): Promise<StreamableFile> {
    const leads = { ...filter, element: leadJson(), from: LEADS_WITH_CAMPAIGN, table: 'l' };
    return jsonStream(between('[', await this.streams.streamArray(leads), ']'));
  }

  /** Reads the page's ids from an index; only its leads are read and rendered, in batches. */
  private async page(
    { where, values }: Filter,
    { page = 1, per_page = DEFAULT_PER_PAGE }: ListLeadsDto,
  ): Promise<StreamedPage> {
    const request = { page, per_page };
    const [count]: [{ total: number }] = await this.db.query(
      `SELECT count(*)::int AS total FROM leads l WHERE ${where}`,
      values,
    );
    const ids: { id: number }[] = await this.db.query(
      `SELECT l.id FROM leads l WHERE ${where} ${NEWEST_FIRST} LIMIT ${per_page} OFFSET ${offsetOf(request)}`,
      values,
    );
    const read = (batch: number[]): Promise<{ lead: string }[]> =>
      this.db.query(
        `SELECT ${leadJson()}::text AS lead FROM ${LEADS_WITH_CAMPAIGN} WHERE l.id = ANY($1) ${NEWEST_FIRST}`,
        [batch],
      );
    const pieces = elements(
      ids.map(({ id }) => id),
      BATCH,
      read,
      ({ lead }) => lead,
    );
    return new StreamedPage(pieces, ids.length, count.total, request);
  }

  private async filter(
    userId: number,
    { status, campaign_id, phone_number, date_from, date_to }: ListLeadsDto,
  ): Promise<Filter> {
    const where = `l.account_id = $1 AND l.main_lead_id IS NULL AND ${NOT_BEING_REMOVED}`;
    const filter: Filter = { where, values: [userId] };
    const match = (condition: string, value: unknown): void => {
      if (value === undefined) return;
      filter.where += ` AND l.${condition.replace('?', `$${filter.values.push(value)}`)}`;
    };
    match('status = ?', status);
    match('campaign_id = ?', campaign_id);
    match('created_at >= ?::date', date_from);
    match('created_at < ?::date + 1', date_to);
    if (phone_number !== undefined) {
      const number = await this.accounts.numberMatch(userId, phone_number);
      // What is no number matches nothing.
      match(`phone_number ${number?.operator ?? '='} ?`, number?.value ?? null);
    }
    return filter;
  }
}
