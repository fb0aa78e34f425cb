import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { offsetOf, Page, type PageRequest } from '#src/http/pagination/page.js';
import { toLedgerEntryResponse, type LedgerEntryResponse } from './dto/accounts.response.js';
import { LedgerEntry } from './entities/account.entities.js';

@Injectable()
export class LedgerHistoryService {
  constructor(@InjectRepository(LedgerEntry) private readonly entries: Repository<LedgerEntry>) {}

  /** Newest first: ids follow the order in which the entries moved the account's balance. */
  async pageOfEntries(userId: number, query: PageRequest): Promise<Page<LedgerEntryResponse>> {
    const [entries, total] = await this.entries.findAndCount({
      where: { accountId: userId },
      order: { id: 'DESC' },
      skip: offsetOf(query),
      take: query.per_page,
    });
    return new Page(entries.map(toLedgerEntryResponse), total, query);
  }
}
