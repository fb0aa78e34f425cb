import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { sqlState } from '#src/http/errors/error-response.js';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { camelKeys } from '#src/common/persistence/columns.js';
import { KeyedConcurrencyLimiter } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import type { AuditDetails } from '../audit/audit.types.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { toChunkResponse, type ChunkResponse } from './dto/chunk.response.js';
import type { CreateDocumentDto, ListChunksDto, UpdateDocumentDto } from './dto/document-input.dto.js';
import { toDocumentResponse, type DocumentResponse } from './dto/document.response.js';
import { KnowledgeChunk, KnowledgeDocument, KnowledgeFile } from './entities/knowledge.entities.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';
import {
  DocumentFileMissing,
  DocumentNotFound,
  FileNotKept,
  KnowledgeBaseNotFound,
  KnowledgeLimitReached,
  WebsiteLinkMissing,
  WebsiteTooLarge,
} from './knowledge.errors.js';
import { DEFAULT_WEBSITE_PAGES } from './knowledge.types.js';

const FOREIGN_KEY_VIOLATION = '23503';
/** Files that a process holds in memory while they are stored. */
const FILES_AT_ONCE = 2;
const MEGABYTE = 1024 * 1024;

type Plan = AccountView['plan'];

/** Every method throws KnowledgeBaseNotFound when the base is deleted or belongs to another user. */
@Injectable()
export class DocumentsService {
  private readonly files = new KeyedConcurrencyLimiter<'file'>(FILES_AT_ONCE);

  constructor(
    @InjectRepository(KnowledgeDocument) private readonly documents: Repository<KnowledgeDocument>,
    private readonly bases: KnowledgeBasesService,
    private readonly accounts: AccountsService,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
  ) {}

  async listDocuments(userId: number, baseId: number): Promise<DocumentResponse[]> {
    await this.assertBase(userId, baseId);
    const rows = await this.documents.find({
      where: { accountId: userId, knowledgeBaseId: baseId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(toDocumentResponse);
  }

  /** @throws DocumentNotFound */
  async getDocument(userId: number, baseId: number, id: number): Promise<DocumentResponse> {
    return toDocumentResponse(await this.find(userId, baseId, id));
  }

  /**
   * @param upload path of the file; null: the request had none
   * @throws DocumentFileMissing, WebsiteLinkMissing, WebsiteTooLarge, KnowledgeLimitReached
   */
  async createDocument(
    userId: number,
    baseId: number,
    dto: CreateDocumentDto,
    upload: string | null,
    key: ClaimedKey | null,
  ): Promise<DocumentResponse> {
    await this.assertBase(userId, baseId);
    if (key?.createdId) return this.getDocument(userId, baseId, key.createdId);
    const { plan } = await this.accounts.accountView(userId);
    const { type, name, description = null } = dto;
    const fields = { accountId: userId, knowledgeBaseId: baseId, type, name, description };
    if (type === 'website') return this.insert({ ...fields, ...websiteOf(dto, plan) }, null, plan, key);
    if (upload === null) throw new DocumentFileMissing();
    const release = await this.files.acquire('file');
    try {
      const content = await readFile(upload);
      return await this.insert({ ...fields, sizeBytes: content.length }, content, plan, key);
    } finally {
      release();
    }
  }

  /** @throws DocumentNotFound */
  async updateDocument(
    userId: number,
    baseId: number,
    id: number,
    dto: UpdateDocumentDto,
  ): Promise<DocumentResponse> {
    await this.assertBase(userId, baseId);
    await this.updateColumns(userId, baseId, id, camelKeys(dto));
    return this.getDocument(userId, baseId, id);
  }

  /** @throws DocumentNotFound */
  async deleteDocument(userId: number, baseId: number, id: number): Promise<void> {
    await this.assertBase(userId, baseId);
    await this.audit.change(async (tx, record) => {
      const { affected } = await tx.delete(KnowledgeDocument, ofBase(userId, baseId, id));
      if (!affected) throw new DocumentNotFound();
      const details = { knowledgebase_id: baseId };
      record({ accountId: userId, action: 'document.delete', resourceId: id, details });
    });
  }

  /**
   * Reads a website again. What it had stays searchable until then.
   * @throws DocumentNotFound, FileNotKept
   */
  async refreshDocument(userId: number, baseId: number, id: number): Promise<DocumentResponse> {
    const document = await this.find(userId, baseId, id);
    if (document.type !== 'website') throw new FileNotKept();
    const fields = { state: 'processing', failure: null, attempts: 0, dueAt: () => 'now()' } as const;
    await this.updateColumns(userId, baseId, id, fields, { is_read_again: true });
    this.queue.enqueue('knowledge-document', document);
    return this.getDocument(userId, baseId, id);
  }

  /** In reading order. @throws DocumentNotFound */
  async listChunks(
    userId: number,
    baseId: number,
    id: number,
    query: ListChunksDto,
  ): Promise<Page<ChunkResponse>> {
    const document = await this.find(userId, baseId, id);
    const rows = await this.documents.manager.find(KnowledgeChunk, {
      where: { documentId: id },
      order: { seq: 'ASC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(rows.map(toChunkResponse), document.chunksCount, query);
  }

  private async insert(
    fields: Partial<KnowledgeDocument>,
    content: Buffer | null,
    plan: Plan,
    key: ClaimedKey | null,
  ): Promise<DocumentResponse> {
    try {
      const document = await this.audit.change(async (tx, record) => {
        const { accountId = 0, sizeBytes = 0 } = fields;
        await lockAccount(tx, accountId);
        await assertWithinPlan(tx, accountId, sizeBytes, plan);
        const row = await tx.save(tx.create(KnowledgeDocument, { ...fields, dueAt: new Date() }));
        if (content !== null) await tx.insert(KnowledgeFile, { documentId: row.id, content });
        await recordCreatedId(tx, key, row.id);
        const details = { knowledgebase_id: row.knowledgeBaseId, type: row.type };
        record({ accountId, action: 'document.create', resourceId: row.id, details });
        return row;
      });
      this.queue.enqueue('knowledge-document', document);
      return toDocumentResponse(document);
    } catch (error) {
      // The base was deleted after the check.
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw new KnowledgeBaseNotFound();
      throw error;
    }
  }

  /**
   * @param details of what is no change of fields that a user gave
   * @throws DocumentNotFound
   */
  private async updateColumns(
    userId: number,
    baseId: number,
    id: number,
    columns: QueryDeepPartialEntity<KnowledgeDocument>,
    details?: AuditDetails,
  ): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const changes = details ? columns : { ...columns, updatedAt: () => 'now()' };
      const { affected } = await tx.update(KnowledgeDocument, ofBase(userId, baseId, id), changes);
      if (!affected) throw new DocumentNotFound();
      const fields = details ? [] : changedFields(columns);
      const more = { knowledgebase_id: baseId, ...details };
      record({ accountId: userId, action: 'document.update', resourceId: id, fields, details: more });
    });
  }

  /** @throws DocumentNotFound */
  private async find(userId: number, baseId: number, id: number): Promise<KnowledgeDocument> {
    await this.assertBase(userId, baseId);
    const row = await this.documents.findOneBy(ofBase(userId, baseId, id));
    if (!row) throw new DocumentNotFound();
    return row;
  }

  private async assertBase(userId: number, id: number): Promise<void> {
    if (!(await this.bases.ownsBase(userId, id))) throw new KnowledgeBaseNotFound();
  }
}

const ofBase = (accountId: number, knowledgeBaseId: number, id: number) => ({
  id,
  accountId,
  knowledgeBaseId,
});

/** @throws WebsiteLinkMissing, WebsiteTooLarge */
function websiteOf({ url, links = [], relative_links_limit: asked }: CreateDocumentDto, plan: Plan) {
  const pages = plan.maxWebsitePages;
  const named = [...new Set([...(url ? [url] : []), ...links.map(({ link }) => link)])];
  if (named.length === 0) throw new WebsiteLinkMissing();
  if (named.length > pages) throw new WebsiteTooLarge('links', pages);
  const left = pages - named.length;
  if (asked !== undefined && asked > left) throw new WebsiteTooLarge('relative_links_limit', pages);
  return { links: named, relativeLinksLimit: asked ?? Math.min(DEFAULT_WEBSITE_PAGES, left) };
}

/** @throws KnowledgeLimitReached */
async function assertWithinPlan(
  tx: EntityManager,
  userId: number,
  sizeBytes: number,
  { maxDocuments, maxDocumentMegabytes }: Plan,
): Promise<void> {
  const count = await tx.countBy(KnowledgeDocument, { accountId: userId });
  if (count >= maxDocuments) throw new KnowledgeLimitReached(maxDocuments, 'documents');
  const bytes = (await tx.sum(KnowledgeDocument, 'sizeBytes', { accountId: userId })) ?? 0;
  if (bytes + sizeBytes > maxDocumentMegabytes * MEGABYTE)
    throw new KnowledgeLimitReached(maxDocumentMegabytes, 'megabytes of documents');
}
