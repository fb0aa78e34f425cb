import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, IsNull, Repository } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { FINAL_STATUSES } from '../states/call-states.js';
import { Call } from '../entities/call.entity.js';
import type { LiveEventKind } from '../entities/live-event.entity.js';

/** The events of an account, of one of its calls, or of the calls of one of its campaigns. */
export interface LiveEventScope {
  accountId: number;
  callId: number | null;
  campaignId?: number | null;
}

export interface NumberedEvent {
  seq: number;
  kind: LiveEventKind;
  /** JSON in one line. */
  data: string;
}

/** Approximate number of rows per statement, for short locks and transactions. */
const BATCH = 1_000;
/** Minimum of them for each account, so that a busy one does not delay others. */
const MIN_PER_ACCOUNT = 20;
/** Events have at most 10,000 characters of text: half a megabyte. */
export const EVENT_READ_BATCH = 50;
const RETENTION = '1 hour';

const NEWEST = `SELECT account_id,
          coalesce((SELECT seq FROM live_events e WHERE e.account_id = a.account_id AND seq IS NOT NULL
                     ORDER BY seq DESC LIMIT 1), 0)::float8 AS newest,
          (SELECT id FROM live_events e WHERE e.account_id = a.account_id AND seq IS NULL
            ORDER BY id LIMIT 1) IS NOT NULL AS has_more
     FROM unnest($1::int[]) AS a (account_id)`;

interface NewestEvent {
  account_id: number;
  newest: number;
  has_more: boolean;
}

/** @param column whose value is the first parameter */
const readSql = (column: 'account_id' | 'call_id' | 'campaign_id'): string =>
  `SELECT e.seq::float8 AS seq, e.kind, e.data::text AS data
     FROM live_events e JOIN calls c ON c.id = e.call_id AND c.deleted_at IS NULL
    WHERE e.${column} = $1 AND e.seq > $2 AND e.seq <= $3 ORDER BY e.seq LIMIT ${EVENT_READ_BATCH}`;

/** The events that readers of streams get. */
@Injectable()
export class LiveEventsRepository {
  constructor(
    private readonly db: DataSource,
    @InjectRepository(Call) private readonly calls: Repository<Call>,
  ) {}

  /** Numbers newly committed events and returns each account's newest number; 0 for none. */
  async findNewestByAccount(accountIds: number[]): Promise<Map<number, number>> {
    const first: NewestEvent[] = await this.db.query(NEWEST, [accountIds]);
    const waiting = first.filter(({ has_more }) => has_more).map(({ account_id }) => account_id);
    if (waiting.length > 0) await this.numberEvents(waiting);
    const rows: NewestEvent[] = waiting.length > 0 ? await this.db.query(NEWEST, [accountIds]) : first;
    return new Map(rows.map(({ account_id, newest }) => [account_id, newest]));
  }

  /** The number of the newest kept event of an account, or of a campaign's calls; 0 for none. */
  async findNewestInScope({ accountId, campaignId = null }: LiveEventScope): Promise<number> {
    const newest = (await this.findNewestByAccount([accountId])).get(accountId) ?? 0;
    if (campaignId === null) return newest;
    const [row]: { newest: number }[] = await this.db.query(
      'SELECT coalesce(max(seq), 0)::float8 AS newest FROM live_events WHERE campaign_id = $1',
      [campaignId],
    );
    return row?.newest ?? 0;
  }

  /** Numbers are given one batch after another, so that no number becomes visible before a lower one. */
  private async numberEvents(accountIds: number[]): Promise<void> {
    await this.db.transaction(async (tx) => {
      // The next statement sees the numbers of the previous lock holder.
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.liveEvents]);
      await tx.query(
        `WITH oldest AS MATERIALIZED (
           SELECT o.id FROM unnest($1::int[]) AS a (account_id) CROSS JOIN LATERAL (
             SELECT id FROM live_events WHERE account_id = a.account_id AND seq IS NULL ORDER BY id LIMIT $2) o),
         next AS MATERIALIZED (
           SELECT id, nextval('live_event_seq') AS seq FROM (SELECT id FROM oldest ORDER BY id) o)
         UPDATE live_events e SET seq = next.seq FROM next WHERE e.id = next.id`,
        [accountIds, Math.max(MIN_PER_ACCOUNT, Math.floor(BATCH / accountIds.length))],
      );
    });
  }

  /** At most `EVENT_READ_BATCH` events with numbers over `after`, up to `newest`; none of calls that were deleted. */
  readEvents(
    { accountId, callId, campaignId = null }: LiveEventScope,
    after: number,
    newest: number,
  ): Promise<NumberedEvent[]> {
    if (callId !== null) return this.db.query(readSql('call_id'), [callId, after, newest]);
    if (campaignId !== null) return this.db.query(readSql('campaign_id'), [campaignId, after, newest]);
    return this.db.query(readSql('account_id'), [accountId, after, newest]);
  }

  /** Whether this is the number of an event in the scope that is still kept. */
  async isEventAvailable(
    { accountId, callId, campaignId = null }: LiveEventScope,
    seq: number,
  ): Promise<boolean> {
    const rows: unknown[] = await this.db.query(
      `SELECT 1 FROM live_events WHERE account_id = $1 AND seq = $2
          AND ($3::int IS NULL OR call_id = $3) AND ($4::int IS NULL OR campaign_id = $4)`,
      [accountId, seq, callId, campaignId],
    );
    return rows.length > 0;
  }

  /** Null: the account has no such call. `final`: the record no longer changes. */
  async findCallProgress(accountId: number, callId: number): Promise<'runs' | 'final' | null> {
    const call = await this.calls.findOne({
      select: { status: true },
      where: { id: callId, accountId, deletedAt: IsNull() },
    });
    return call && (FINAL_STATUSES.includes(call.status) ? 'final' : 'runs');
  }

  /** The ids of the calls that were not deleted. */
  async findUndeletedCallIds(ids: number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const calls = await this.calls.find({
      select: { id: true },
      where: { id: In(ids), deletedAt: IsNull() },
    });
    return new Set(calls.map(({ id }) => id));
  }

  /** @returns whether there may be more. Reads only the oldest rows, so that no index on the time is needed. */
  async deleteExpired(): Promise<boolean> {
    const [, count]: [unknown[], number] = await this.db.query(
      `DELETE FROM live_events WHERE id IN (
         SELECT id FROM (SELECT id, created_at FROM live_events ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) o
          WHERE created_at < now() - interval '${RETENTION}')`,
    );
    return count === BATCH;
  }
}
