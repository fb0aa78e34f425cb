import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import type { Page } from '#src/http/pagination/page.js';
import { camelKeys } from '#src/common/persistence/columns.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { CreateKnowledgeBaseDto, UpdateKnowledgeBaseDto } from './dto/knowledge-base-input.dto.js';
import {
  toCountedKnowledgeBaseResponse,
  toKnowledgeBaseResponse,
  type CountedKnowledgeBaseResponse,
  type KnowledgeBaseResponse,
} from './dto/knowledge-base.response.js';
import { DEFAULT_RESULTS, type SearchKnowledgeDto } from './dto/search.dto.js';
import { toFoundChunkResponse, type FoundChunkResponse } from './dto/search.response.js';
import type { ListUnansweredDto, UnansweredResponse } from './dto/unanswered.dto.js';
import { KnowledgeBase, KnowledgeDocument } from './entities/knowledge.entities.js';
import { UnansweredQuestionsService } from './unanswered-questions.service.js';
import { KnowledgeSearchService } from './retrieval/knowledge-search.service.js';
import { KnowledgeBaseNotFound, KnowledgeLimitReached } from './knowledge.errors.js';

@Injectable()
export class KnowledgeBasesService {
  constructor(
    @InjectRepository(KnowledgeBase) private readonly bases: Repository<KnowledgeBase>,
    private readonly accounts: AccountsService,
    private readonly knowledge: KnowledgeSearchService,
    private readonly unanswered: UnansweredQuestionsService,
    private readonly audit: AuditService,
  ) {}

  async listBases(userId: number): Promise<CountedKnowledgeBaseResponse[]> {
    const rows = await this.bases.find({
      where: { accountId: userId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(toCountedKnowledgeBaseResponse);
  }

  /** @throws KnowledgeBaseNotFound */
  async getBase(userId: number, id: number): Promise<CountedKnowledgeBaseResponse> {
    return toCountedKnowledgeBaseResponse(await this.findBase(userId, id));
  }

  /** @throws KnowledgeLimitReached, also for concurrent requests: bases are counted under the account's lock */
  async createBase(
    userId: number,
    { name, description = null, language = 'en' }: CreateKnowledgeBaseDto,
    key: ClaimedKey | null,
  ): Promise<KnowledgeBaseResponse> {
    if (key?.createdId) return toKnowledgeBaseResponse(await this.findBase(userId, key.createdId));
    const { plan } = await this.accounts.accountView(userId);
    const id = await this.audit.change(async (tx, record) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(KnowledgeBase, { accountId: userId });
      if (count >= plan.maxKnowledgeBases)
        throw new KnowledgeLimitReached(plan.maxKnowledgeBases, 'knowledgebases');
      const row = tx.create(KnowledgeBase, { accountId: userId, name, description, language });
      const base = await tx.save(row);
      await recordCreatedId(tx, key, base.id);
      record({ accountId: userId, action: 'knowledgebase.create', resourceId: base.id });
      return base.id;
    });
    return toKnowledgeBaseResponse(await this.findBase(userId, id));
  }

  /** @throws KnowledgeBaseNotFound */
  async updateBase(userId: number, id: number, dto: UpdateKnowledgeBaseDto): Promise<KnowledgeBaseResponse> {
    const columns = camelKeys(dto);
    await this.audit.change(async (tx, record) => {
      const where = { id, accountId: userId };
      const { affected } = await tx.update(KnowledgeBase, where, { ...columns, updatedAt: () => 'now()' });
      if (!affected) throw new KnowledgeBaseNotFound();
      const fields = changedFields(columns);
      record({ accountId: userId, action: 'knowledgebase.update', resourceId: id, fields });
    });
    return toKnowledgeBaseResponse(await this.findBase(userId, id));
  }

  /** @throws KnowledgeBaseNotFound */
  async searchBase(
    userId: number,
    id: number,
    { query, limit = DEFAULT_RESULTS }: SearchKnowledgeDto,
  ): Promise<FoundChunkResponse[]> {
    const base = await this.findBase(userId, id);
    return (await this.knowledge.search(base, query, limit)).map(toFoundChunkResponse);
  }

  /** @throws KnowledgeBaseNotFound */
  async listUnanswered(
    userId: number,
    id: number,
    query: ListUnansweredDto,
  ): Promise<Page<UnansweredResponse>> {
    await this.findBase(userId, id);
    return this.unanswered.listQuestions(userId, id, query);
  }

  /** Its documents go with it. @throws KnowledgeBaseNotFound */
  async deleteBase(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      // Everyone locks documents before their base.
      await tx.find(KnowledgeDocument, {
        select: { id: true },
        where: { accountId: userId, knowledgeBaseId: id },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const { affected } = await tx.delete(KnowledgeBase, { id, accountId: userId });
      if (!affected) throw new KnowledgeBaseNotFound();
      record({ accountId: userId, action: 'knowledgebase.delete', resourceId: id });
    });
  }

  /** @throws KnowledgeBaseNotFound */
  async findBase(userId: number, id: number): Promise<KnowledgeBase> {
    const base = await this.bases.findOneBy({ id, accountId: userId });
    if (!base) throw new KnowledgeBaseNotFound();
    return base;
  }

  async ownsBase(userId: number, id: number): Promise<boolean> {
    return this.bases.existsBy({ id, accountId: userId });
  }
}
