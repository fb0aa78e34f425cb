import { Injectable, StreamableFile } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { offsetOf, Page } from '#src/common/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DEFAULT_PER_PAGE, type ListLeadsDto } from './dto/list-leads.dto.js';
import type { LeadResponse } from './dto/lead.response.js';
import { leadJson, LEADS_WITH_CAMPAIGN } from './leads.repository.js';
import { JsonStreamsService } from './json-streams.service.js';

interface Filter {
  where: string;
  values: unknown[];
}

const NEWEST_FIRST = 'ORDER BY l.created_at DESC, l.id DESC';

/** The main leads of a user: a page, or all of them as a stream. */
@Injectable()
export class LeadListService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly streams: JsonStreamsService,
  ) {}

  async listLeads(userId: number, query: ListLeadsDto): Promise<Page<LeadResponse> | StreamableFile> {
    const filter = await this.filter(userId, query);
    return query.page === undefined && query.per_page === undefined
      ? this.all(filter)
      : this.page(filter, query);
  }

  /** @throws ListsBusy */
  private async all({ where, values }: Filter): Promise<StreamableFile> {
    const sql = `SELECT ${leadJson()}::text FROM ${LEADS_WITH_CAMPAIGN} WHERE ${where} ${NEWEST_FIRST}`;
    return new StreamableFile(await this.streams.streamArray(sql, values), {
      type: 'application/json; charset=utf-8',
    });
  }

  /** The page's ids come out of an index; only its own leads are read and rendered. */
  private async page(
    { where, values }: Filter,
    { page = 1, per_page = DEFAULT_PER_PAGE }: ListLeadsDto,
  ): Promise<Page<LeadResponse>> {
    const request = { page, per_page };
    const [count]: [{ total: number }] = await this.db.query(
      `SELECT count(*)::int AS total FROM leads l WHERE ${where}`,
      values,
    );
    const rows: { lead: LeadResponse }[] = await this.db.query(
      `SELECT ${leadJson()} AS lead FROM ${LEADS_WITH_CAMPAIGN}
        WHERE l.id = ANY (ARRAY(SELECT l.id FROM leads l WHERE ${where} ${NEWEST_FIRST}
                                 LIMIT ${per_page} OFFSET ${offsetOf(request)})) ${NEWEST_FIRST}`,
      values,
    );
    return new Page(
      rows.map(({ lead }) => lead),
      count.total,
      request,
    );
  }

  private async filter(userId: number, { status, campaign_id, phone_number }: ListLeadsDto): Promise<Filter> {
    const filter: Filter = { where: 'l.account_id = $1 AND l.main_lead_id IS NULL', values: [userId] };
    const match = (column: string, value: unknown): void => {
      filter.where += ` AND l.${column} = $${filter.values.push(value)}`;
    };
    if (status !== undefined) match('status', status);
    if (campaign_id !== undefined) match('campaign_id', campaign_id);
    // In a query string an unescaped + is a space. What is no number is null here and matches nothing.
    if (phone_number !== undefined) {
      match('phone_number', await this.accounts.formatNumber(userId, phone_number.replace(/^ /, '+')));
    }
    return filter;
  }
}
