import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { streamArrayElements } from '#src/http/json-stream.js';
import {
  NEWEST_FIRST,
  countedPageStatement,
  type CountedListFilter,
  type CountedPage,
} from '#src/http/pagination/counted-pages.js';
import { countedDayConditions } from '#src/http/pagination/day-filter.js';
import { StreamedPage } from '#src/http/pagination/page.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import { toSqlList } from '#src/common/persistence/sql-list.js';
import { AuditService } from '../audit/audit.service.js';
import type { NumberCondition } from '../accounts/accounts.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { RUNNING_FILTER, type ExportCallsDto, type ListCallsDto } from './dto/calls.dto.js';
import { CALL_RESPONSE_COLUMNS, toCallResponse, type CallForResponse } from './dto/call.response.js';
import { RUNNING_STATUSES } from './states/call-states.js';
import { Call } from './entities/call.entity.js';

/** Position of a call in the order of lists. */
interface ListPosition {
  id: number;
  /** As text, because a Date has no microseconds. */
  created_at: string;
}

/** A call of an export, with its position. */
export type ExportedCall = CallForResponse & { position: ListPosition };

/** Rows per batch: each can hold the variables of an assistant, a lead and a contact. */
const BATCH = 20;
/** See docs/build/adr/0008. */
const COUNTED = { rows: 'calls', counters: 'call_tallies' };

/** Pages of a user's calls. */
@Injectable()
export class CallListService {
  private readonly findByIds: (values: unknown[]) => Promise<CallForResponse[]>;

  constructor(
    private readonly db: DataSource,
    private readonly recordings: RecordingLinksService,
    private readonly audit: AuditService,
  ) {
    const select = new EntitySelect<Call, keyof CallForResponse>(db, Call, 'c', CALL_RESPONSE_COLUMNS);
    this.findByIds = select.prepareQuery('WHERE c.id = ANY($1) ORDER BY c.created_at DESC, c.id DESC');
  }

  async findPage(userId: number, query: ListCallsDto, client?: NumberCondition): Promise<StreamedPage> {
    const { text, values } = countedPageStatement(COUNTED, toFilter(userId, query, client), query);
    const [{ total, ids }]: [CountedPage] = await this.db.query(text, values);
    if (ids.length > 0)
      await this.audit.recordRead({ accountId: userId, action: 'call.list', details: { ids } });
    const pieces = streamArrayElements(
      ids,
      BATCH,
      (batch) => this.findByIds([batch]),
      (call) => JSON.stringify(toCallResponse(call, this.recordings.createLink(call, 'api'))),
    );
    return new StreamedPage(pieces, ids.length, total, query);
  }

  /** The next calls of an export, newest first. A call that exists during the whole export appears once. */
  async findAfter(
    userId: number,
    query: ExportCallsDto,
    client: NumberCondition | undefined,
    last: ExportedCall | null,
  ): Promise<ExportedCall[]> {
    const { where, values } = toFilter(userId, query, client);
    const n = values.length;
    const afterCondition = last ? `AND (created_at, id) < ($${n + 1}::timestamptz, $${n + 2}::int)` : '';
    const positions: ListPosition[] = await this.db.query(
      `SELECT id, created_at::text FROM calls WHERE ${where} ${afterCondition}
        ${NEWEST_FIRST} LIMIT ${BATCH}`,
      last ? [...values, last.position.created_at, last.position.id] : values,
    );
    const calls = new Map(
      (await this.findByIds([positions.map(({ id }) => id)])).map((call) => [call.id, call]),
    );
    return positions.flatMap((position) => {
      const call = calls.get(position.id);
      return call ? [{ ...call, position }] : [];
    });
  }
}

function toFilter(userId: number, query: ExportCallsDto, client?: NumberCondition): CountedListFilter {
  const values: unknown[] = [userId];
  const where = ['account_id = $1', 'deleted_at IS NULL'];
  const tallied = ['account_id = $1'];
  const addCondition = (value: unknown, condition: string): void => {
    if (value === undefined) return;
    const parameter = `$${values.push(value)}`;
    where.push(condition.replace('?', parameter));
    tallied.push(condition.replace('?', parameter));
  };
  if (query.status === RUNNING_FILTER) {
    where.push('ended_at IS NULL');
    tallied.push(`status IN ${toSqlList(RUNNING_STATUSES)}`);
  } else addCondition(query.status, 'status = ?');
  addCondition(query.type, 'type = ?');
  addCondition(query.assistant_id, 'assistant_id = ?');
  addCondition(query.campaign_id, 'campaign_id = ?');
  const days = countedDayConditions(query, 'created_at', (value) => `$${values.push(value)}`);
  where.push(...days.where);
  tallied.push(...days.tallied);
  // The counters have no numbers and no leads; such few calls are counted directly.
  if (client) where.push(`client_phone_number ${client.operator} $${values.push(client.value)}`);
  if (query.lead_id !== undefined) where.push(`lead_id = $${values.push(query.lead_id)}`);
  const isTallied = !client && query.lead_id === undefined;
  return {
    where: where.join(' AND '),
    tallied: isTallied ? tallied.join(' AND ') : null,
    edges: days.edges,
    values,
  };
}
