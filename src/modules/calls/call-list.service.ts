import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { elements } from '#src/common/http/json-stream.js';
import { offsetOf, StreamedPage } from '#src/common/pagination/page.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import type { NumberMatch } from '../accounts/accounts.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { CallCountersService } from './call-counters.service.js';
import {
  SHOWN_COLUMNS,
  toCallResponse,
  type ExportCallsDto,
  type ListCallsDto,
  type ShownCall,
} from './dto/calls.dto.js';
import { Call } from './entities/call.entity.js';

interface Filter {
  where: string;
  values: unknown[];
}

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

/** Pages of a user's calls. */
@Injectable()
export class CallListService {
  private readonly byIds: (values: unknown[]) => Promise<ShownCall[]>;

  constructor(
    private readonly db: DataSource,
    private readonly counters: CallCountersService,
    private readonly recordings: RecordingLinksService,
  ) {
    const select = new PreparedSelect<Call, keyof ShownCall>(db, Call, 'c', SHOWN_COLUMNS);
    this.byIds = select.prepare('WHERE c.id = ANY($1) ORDER BY c.created_at DESC, c.id DESC');
  }

  async findPage(userId: number, query: ListCallsDto, client?: NumberMatch): Promise<StreamedPage> {
    const filter = filterOf(userId, query, client);
    // Counters do not know phone numbers; the few calls with one number are counted directly.
    const total = client ? await this.count(filter) : await this.counters.countCalls(userId, query);
    const ids = await this.ids(filter, query, total);
    const pieces = elements(
      ids,
      BATCH,
      (batch) => this.byIds([batch]),
      (call) => JSON.stringify(toCallResponse(call, this.recordings.urlOf(call, 'api'))),
    );
    return new StreamedPage(pieces, ids.length, total, query);
  }

  /** The next calls of an export, newest first. A call that exists during the whole export appears once. */
  async findBehind(
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
        ORDER BY created_at DESC, id DESC LIMIT ${BATCH}`,
      last ? [...values, last.place.created_at, last.place.id] : values,
    );
    const calls = new Map((await this.byIds([places.map(({ id }) => id)])).map((call) => [call.id, call]));
    return places.flatMap((place) => {
      const call = calls.get(place.id);
      return call ? [{ ...call, place }] : [];
    });
  }

  private async count({ where, values }: Filter): Promise<number> {
    const [row]: { n: number }[] = await this.db.query(
      `SELECT count(*)::int AS n FROM calls WHERE ${where}`,
      values,
    );
    return row?.n ?? 0;
  }

  /**
   * Reads ids first, then their rows in batches: a deep page scans an index instead of whole rows. A page in the
   * second half is read from the end.
   */
  private async ids({ where, values }: Filter, query: ListCallsDto, total: number): Promise<number[]> {
    const offset = offsetOf(query);
    const length = Math.min(query.per_page, total - offset);
    if (length <= 0) return [];
    const backwards = offset > total / 2;
    const order = backwards ? 'ASC' : 'DESC';
    const rows: { id: number }[] = await this.db.query(
      `SELECT id FROM calls WHERE ${where} ORDER BY created_at ${order}, id ${order}
        LIMIT ${length} OFFSET ${backwards ? total - offset - length : offset}`,
      values,
    );
    const ids = rows.map(({ id }) => id);
    return backwards ? ids.reverse() : ids;
  }
}

function filterOf(userId: number, query: ExportCallsDto, client?: NumberMatch): Filter {
  const filter: Filter = { where: 'account_id = $1 AND deleted_at IS NULL', values: [userId] };
  const match = (condition: string, value: unknown): void => {
    if (value !== undefined)
      filter.where += ` AND ${condition.replace('?', `$${filter.values.push(value)}`)}`;
  };
  match('status = ?', query.status);
  match('type = ?', query.type);
  match(`client_phone_number ${client?.operator} ?`, client?.value);
  match('assistant_id = ?', query.assistant_id);
  match('campaign_id = ?', query.campaign_id);
  match('created_at >= ?::date', query.date_from);
  match('created_at < ?::date + 1', query.date_to);
  return filter;
}
