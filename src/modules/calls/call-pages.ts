import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { offsetOf, Page } from '#src/common/pagination/page.js';
import { CallTallies } from './call-tallies.service.js';
import type { ListCallsDto } from './dto/list-calls.dto.js';
import { Call } from './entities/call.entity.js';

/** Pages of a user's calls. */
@Injectable()
export class CallPages {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly tallies: CallTallies,
  ) {}

  async find(userId: number, query: ListCallsDto, phoneNumber: string | undefined): Promise<Page<Call>> {
    const total = await this.total(userId, query, phoneNumber);
    return new Page(await this.rows(userId, query, phoneNumber, total), total, query);
  }

  /** Summed up from the tallies; only the calls with one number, which are few, are counted. */
  private async total(userId: number, query: ListCallsDto, phoneNumber: string | undefined): Promise<number> {
    if (phoneNumber) return this.matching(userId, query, phoneNumber).getCount();
    return this.tallies.sum(userId, query);
  }

  /**
   * Ids first, then their rows: a deep page walks an index instead of whole rows; one in the second half is
   * counted from the end.
   */
  private async rows(userId: number, query: ListCallsDto, phoneNumber: string | undefined, total: number) {
    const offset = offsetOf(query);
    const length = Math.min(query.per_page, total - offset);
    if (length <= 0) return [];
    const backwards = offset > total / 2;
    const ids = await this.matching(userId, query, phoneNumber)
      .select('call.id', 'id')
      .orderBy('call.createdAt', backwards ? 'ASC' : 'DESC')
      .addOrderBy('call.id', backwards ? 'ASC' : 'DESC')
      .offset(backwards ? total - offset - length : offset)
      .limit(length)
      .getRawMany<{ id: number }>();
    return this.calls
      .createQueryBuilder('call')
      .where('call.id = ANY(:ids)', { ids: ids.map(({ id }) => id) })
      .orderBy('call.createdAt', 'DESC')
      .addOrderBy('call.id', 'DESC')
      .getMany();
  }

  private matching(userId: number, query: ListCallsDto, phoneNumber: string | undefined): SelectQueryBuilder<Call> {
    const builder = this.calls
      .createQueryBuilder('call')
      .where('call.accountId = :userId AND call.deletedAt IS NULL', { userId });
    const { status, type, assistant_id, campaign_id, date_from, date_to } = query;
    if (status) builder.andWhere('call.status = :status', { status });
    if (type) builder.andWhere('call.type = :type', { type });
    if (phoneNumber) builder.andWhere('call.clientPhoneNumber = :phoneNumber', { phoneNumber });
    if (assistant_id) builder.andWhere('call.assistantId = :assistant_id', { assistant_id });
    if (campaign_id) builder.andWhere('call.campaignId = :campaign_id', { campaign_id });
    if (date_from) builder.andWhere(`call.createdAt >= :date_from::date`, { date_from });
    if (date_to) builder.andWhere(`call.createdAt < :date_to::date + 1`, { date_to });
    return builder;
  }
}
