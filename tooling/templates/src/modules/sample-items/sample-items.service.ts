import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { camelKeys } from '#src/common/persistence/columns.js';
import type {
  CreateSampleItemDto,
  ListSampleItemsDto,
  UpdateSampleItemDto,
} from './dto/sample-item-input.dto.js';
import { toSampleItemResponse, type SampleItemResponse } from './dto/sample-item.response.js';
import { SampleItem } from './entities/sample-item.entity.js';
import { SampleItemNotFound } from './sample-items.errors.js';

@Injectable()
export class SampleItemsService {
  constructor(@InjectRepository(SampleItem) private readonly sampleItems: Repository<SampleItem>) {}

  async listSampleItems(userId: number, query: ListSampleItemsDto): Promise<Page<SampleItemResponse>> {
    const [rows, total] = await this.sampleItems.findAndCount({
      where: { accountId: userId },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(rows.map(toSampleItemResponse), total, query);
  }

  async getSampleItem(userId: number, id: number): Promise<SampleItemResponse> {
    const row = await this.sampleItems.findOneBy({ id, accountId: userId });
    if (!row) throw new SampleItemNotFound();
    return toSampleItemResponse(row);
  }

  async createSampleItem(userId: number, dto: CreateSampleItemDto): Promise<SampleItemResponse> {
    const row = this.sampleItems.create({ note: null, ...camelKeys(dto), accountId: userId });
    return toSampleItemResponse(await this.sampleItems.save(row));
  }

  async updateSampleItem(userId: number, id: number, dto: UpdateSampleItemDto): Promise<SampleItemResponse> {
    // Only the fields of the request: concurrent requests do not overwrite each other's fields.
    const fields = { ...camelKeys(dto), updatedAt: () => 'now()' };
    const { affected } = await this.sampleItems.update({ id, accountId: userId }, fields);
    if (!affected) throw new SampleItemNotFound();
    return this.getSampleItem(userId, id);
  }

  async deleteSampleItem(userId: number, id: number): Promise<void> {
    const { affected } = await this.sampleItems.delete({ id, accountId: userId });
    if (!affected) throw new SampleItemNotFound();
  }

  async ownsSampleItem(userId: number, id: number): Promise<boolean> {
    return this.sampleItems.existsBy({ id, accountId: userId });
  }
}
