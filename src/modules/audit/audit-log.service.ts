import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { csvStream, type CsvColumns } from '#src/common/csv/csv-stream.js';
import { isId } from '#src/common/validation/fields.js';
import { addDayConditions } from '#src/http/pagination/day-filter.js';
import { Page, pageOffset } from '#src/http/pagination/page.js';
import { LINK_COLUMNS } from './audit-links.js';
import type { AuditLink } from './audit-chain.js';
import type { ExportAuditLogDto, ListAuditLogDto } from './dto/audit-log.dto.js';
import { toAuditEntryResponse, type AuditEntryResponse } from './dto/audit-log.response.js';
import { AuditEntry } from './entities/audit.entities.js';

/** Rows of one statement of an export. */
const BATCH = 500;

const CSV_COLUMNS: CsvColumns<AuditEntryResponse> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  actor: ({ actor }) => actor.type,
  key_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  address: ({ address }) => address,
  request_id: ({ request_id }) => request_id,
  action: ({ action }) => action,
  resource_type: ({ resource }) => resource.type,
  resource_id: ({ resource }) => resource.id,
  fields: ({ fields }) => fields.join(' '),
  details: ({ details }) => details,
  hash: ({ hash }) => hash,
};

/** The audit log of an account, newest first. */
@Injectable()
export class AuditLogService {
  constructor(@InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>) {}

  async pageOfEntries(userId: number, query: ListAuditLogDto): Promise<Page<AuditEntryResponse>> {
    const [total, seqs] = await Promise.all([
      this.filtered(userId, query).getCount(),
      this.filtered(userId, query)
        .offset(pageOffset(query))
        .limit(query.per_page)
        .select('entry.seq')
        .getMany(),
    ]);
    const rows = await this.findLinks(
      userId,
      seqs.map(({ seq }) => seq),
    );
    return new Page(rows, total, query).map(toAuditEntryResponse);
  }

  exportEntries(userId: number, query: ExportAuditLogDto): Promise<StreamableFile> {
    return csvStream({
      name: 'audit-log.csv',
      columns: CSV_COLUMNS,
      readRowsAfter: async (last: AuditEntryResponse | null) => {
        const builder = this.filtered(userId, query).limit(BATCH).select('entry.seq');
        if (last) builder.andWhere('entry.seq < :last', { last: last.id });
        const seqs = (await builder.getMany()).map(({ seq }) => seq);
        return (await this.findLinks(userId, seqs)).map(toAuditEntryResponse);
      },
    });
  }

  private findLinks(userId: number, seqs: number[]): Promise<AuditLink[]> {
    return this.entries.query(
      `SELECT ${LINK_COLUMNS} FROM audit_entries WHERE account_id = $1 AND seq = ANY($2) ORDER BY seq DESC`,
      [userId, seqs],
    );
  }

  private filtered(userId: number, query: ExportAuditLogDto): SelectQueryBuilder<AuditEntry> {
    const { actor, key_id, action, resource_type, resource_id } = query;
    const builder = this.entries
      .createQueryBuilder('entry')
      .where('entry.accountId = :userId', { userId })
      .orderBy('entry.seq', 'DESC');
    if (actor) builder.andWhere('entry.actorType = :actor', { actor });
    if (key_id) builder.andWhere(`entry.actorType = 'key' AND entry.actorId = :key_id`, { key_id });
    if (action) builder.andWhere('entry.action = :action', { action });
    if (resource_type)
      builder.andWhere(`split_part(entry.action, '.', 1) = :resource_type`, { resource_type });
    if (resource_id) {
      // Lists name the resources that they show.
      const shown = isId(Number(resource_id))
        ? ` OR entry.details @> '{"ids": [${Number(resource_id)}]}'`
        : '';
      builder.andWhere(`(entry.resourceId = :resource_id${shown})`, { resource_id });
    }
    addDayConditions(builder, 'entry.createdAt', query);
    return builder;
  }
}
