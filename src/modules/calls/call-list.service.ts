import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { arrayElements } from '#src/http/json-stream.js';
import {
  NEWEST_FIRST,
  pageStatement,
  type CountedFilter,
  type CountedPage,
} from '#src/http/pagination/counted-pages.js';
import { StreamedPage } from '#src/http/pagination/page.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import { sqlList } from '#src/common/persistence/sql-list.js';
import type { NumberMatch } from '../accounts/accounts.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { RUNNING_FILTER, type ExportCallsDto, type ListCallsDto } from './dto/calls.dto.js';
import { SHOWN_COLUMNS, toCallResponse, type ShownCall } from './dto/call.response.js';
import { RUNNING_STATUSES } from './states/call-states.js';
import { Call } from './entities/call.entity.js';

/** A call's place in the order of lists. */
interface Position {
  id: number;
  /** As text, because a Date has no microseconds. */
  created_at: string;
}

/** A call of an export, with its place. */
export type ExportedCall = ShownCall & { place: Position };

/** Rows per batch: each can hold the variables of an assistant, a lead and a contact. */
const BATCH = 20;
/** See docs/build/adr/0008. */
const COUNTED = { rows: 'calls', counters: 'call_tallies' };

/** Pages of a user's calls. */
@Injectable()
export class CallListService {
  private readonly byIds: (values: unknown[]) => Promise<ShownCall[]>;

  constructor(
    private readonly db: DataSource,
    private readonly recordings: RecordingLinksService,
  ) {
    const select = new EntitySelect<Call, keyof ShownCall>(db, Call, 'c', SHOWN_COLUMNS);
    this.byIds = select.query('WHERE c.id = ANY($1) ORDER BY c.created_at DESC, c.id DESC');
  }

  async findPage(userId: number, query: ListCallsDto, client?: NumberMatch): Promise<StreamedPage> {
    const { text, values } = pageStatement(COUNTED, filterOf(userId, query, client), query);
    const [{ total, ids }]: [CountedPage] = await this.db.query(text, values);
    const pieces = arrayElements(
      ids,
      BATCH,
      (batch) => this.byIds([batch]),
      (call) => JSON.stringify(toCallResponse(call, this.recordings.urlOf(call, 'api'))),
    );
    return new StreamedPage(pieces, ids.length, total, query);
  }

  /** The next calls of an export, newest first. A call that exists during the whole export appears once. */
  async findAfter(
    userId: number,
    query: ExportCallsDto,
    client: NumberMatch | undefined,
    last: ExportedCall | null,
  ): Promise<ExportedCall[]> {
    const { where, values } = filterOf(userId, query, client);
    const n = values.length;
    const behind = last ? `AND (created_at, id) < ($${n + 1}::timestamptz, $${n + 2}::int)` : '';
    const places: Position[] = await this.db.query(
      `SELECT id, created_at::text FROM calls WHERE ${where} ${behind}
        ${NEWEST_FIRST} LIMIT ${BATCH}`,
      last ? [...values, last.place.created_at, last.place.id] : values,
    );
    const calls = new Map((await this.byIds([places.map(({ id }) => id)])).map((call) => [call.id, call]));
    return places.flatMap((place) => {
      const call = calls.get(place.id);
      return call ? [{ ...call, place }] : [];
    });
  }
}

function filterOf(userId: number, query: ExportCallsDto, client?: NumberMatch): CountedFilter {
  const values: unknown[] = [userId];
  const where = ['account_id = $1', 'deleted_at IS NULL'];
  const tallied = ['account_id = $1'];
  const match = (value: unknown, condition: string, ofTallies = condition): void => {
    if (value === undefined) return;
    const parameter = `$${values.push(value)}`;
    where.push(condition.replace('?', parameter));
    tallied.push(ofTallies.replace('?', parameter));
  };
  if (query.status === RUNNING_FILTER) {
    where.push('ended_at IS NULL');
    tallied.push(`status IN ${sqlList(RUNNING_STATUSES)}`);
  } else match(query.status, 'status = ?');
  match(query.type, 'type = ?');
  match(query.assistant_id, 'assistant_id = ?');
  match(query.campaign_id, 'campaign_id = ?');
  match(query.date_from, 'created_at >= ?::date', 'day >= ?::date');
  match(query.date_to, 'created_at < ?::date + 1', 'day <= ?::date');
  // Tallies know no numbers and no leads; their few calls are counted directly.
  if (client) where.push(`client_phone_number ${client.operator} $${values.push(client.value)}`);
  if (query.lead_id !== undefined) where.push(`lead_id = $${values.push(query.lead_id)}`);
  const isTallied = !client && query.lead_id === undefined;
  return { where: where.join(' AND '), tallied: isTallied ? tallied.join(' AND ') : null, values };
}
