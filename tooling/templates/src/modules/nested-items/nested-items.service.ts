import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { sqlState } from '#src/http/errors/error-response.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { camelKeys } from '#src/common/persistence/columns.js';
import { SampleItemNotFound } from '../sample-items/sample-items.errors.js';
import { SampleItemsService } from '../sample-items/sample-items.service.js';
import type {
  CreateNestedItemDto,
  ListNestedItemsDto,
  UpdateNestedItemDto,
} from './dto/nested-item-input.dto.js';
import { toNestedItemResponse, type NestedItemResponse } from './dto/nested-item.response.js';
import { NestedItem } from './entities/nested-item.entity.js';
import { NestedItemNotFound } from './nested-items.errors.js';

const FOREIGN_KEY_VIOLATION = '23503';

/** Every method throws SampleItemNotFound when the parent is deleted or belongs to another user. */
@Injectable()
export class NestedItemsService {
  constructor(
    @InjectRepository(NestedItem) private readonly nestedItems: Repository<NestedItem>,
    private readonly sampleItems: SampleItemsService,
  ) {}

  async listNestedItems(
    userId: number,
    sampleItemId: number,
    query: ListNestedItemsDto,
  ): Promise<Page<NestedItemResponse>> {
    await this.assertParent(userId, sampleItemId);
    const [rows, total] = await this.nestedItems.findAndCount({
      where: { accountId: userId, sampleItemId },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(rows.map(toNestedItemResponse), total, query);
  }

  async getNestedItem(userId: number, sampleItemId: number, id: number): Promise<NestedItemResponse> {
    await this.assertParent(userId, sampleItemId);
    const row = await this.nestedItems.findOneBy({ id, accountId: userId, sampleItemId });
    if (!row) throw new NestedItemNotFound();
    return toNestedItemResponse(row);
  }

  async createNestedItem(
    userId: number,
    sampleItemId: number,
    dto: CreateNestedItemDto,
  ): Promise<NestedItemResponse> {
    await this.assertParent(userId, sampleItemId);
    const row = this.nestedItems.create({ note: null, ...camelKeys(dto), accountId: userId, sampleItemId });
    try {
      return toNestedItemResponse(await this.nestedItems.save(row));
    } catch (error) {
      // The parent was deleted after the check.
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw new SampleItemNotFound();
      throw error;
    }
  }

  async updateNestedItem(
    userId: number,
    sampleItemId: number,
    id: number,
    dto: UpdateNestedItemDto,
  ): Promise<NestedItemResponse> {
    await this.assertParent(userId, sampleItemId);
    // Only the fields of the request: concurrent requests do not overwrite each other's fields.
    const fields = { ...camelKeys(dto), updatedAt: () => 'now()' };
    const { affected } = await this.nestedItems.update({ id, accountId: userId, sampleItemId }, fields);
    if (!affected) throw new NestedItemNotFound();
    return this.getNestedItem(userId, sampleItemId, id);
  }

  async deleteNestedItem(userId: number, sampleItemId: number, id: number): Promise<void> {
    await this.assertParent(userId, sampleItemId);
    const { affected } = await this.nestedItems.delete({ id, accountId: userId, sampleItemId });
    if (!affected) throw new NestedItemNotFound();
  }

  private async assertParent(userId: number, sampleItemId: number): Promise<void> {
    if (!(await this.sampleItems.ownsSampleItem(userId, sampleItemId))) throw new SampleItemNotFound();
  }
}
