import { Injectable, type StreamableFile } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { between, elements, jsonStream } from '#src/common/http/json-stream.js';
import { offsetOf, StreamedPage } from '#src/common/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DEFAULT_PER_PAGE, type ListLeadsDto } from './dto/lead.response.js';
import { leadJson, LEADS_WITH_CAMPAIGN, NOT_BEING_REMOVED } from './leads.repository.js';
import { JsonStreamsService } from './json-streams.service.js';

interface Filter {
  where: string;
  values: unknown[];
}

/** Rows per batch: each can have 1 MiB of variables with its contacts. */
const BATCH = 4;
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

  private async filter(userId: number, { status, campaign_id, phone_number }: ListLeadsDto): Promise<Filter> {
    const where = `l.account_id = $1 AND l.main_lead_id IS NULL AND ${NOT_BEING_REMOVED}`;
    const filter: Filter = { where, values: [userId] };
    const match = (column: string, value: unknown): void => {
      filter.where += ` AND l.${column} = $${filter.values.push(value)}`;
    };
    if (status !== undefined) match('status', status);
    if (campaign_id !== undefined) match('campaign_id', campaign_id);
    // What is no number is null here and matches nothing.
    if (phone_number !== undefined) {
      match('phone_number', await this.accounts.formatNumberFilter(userId, phone_number));
    }
    return filter;
  }
}
