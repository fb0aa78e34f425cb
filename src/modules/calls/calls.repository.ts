import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import type { AnsweredBy } from '../telephony/carrier-reports.js';
import type { CallStatus, EndedBy } from './states/call-states.js';
import { toActions, type CallAction, actionRunsSql, type StoredActionRun } from './states/call-actions.js';
import { CALL_COLUMNS, toCallRow } from './call-row.js';
import { CALL_VIEW_PROPERTIES, type CallView, type NewCall } from './call.view.js';
import { Call } from './entities/call.entity.js';
import type { ProviderFailure } from './provider-failure.js';
import { newToken, storedTicket } from './states/web-call-ticket.js';

const MAX_BATCH = 100;

export interface InsertedCall {
  id: number;
  token: string;
}

const INSERT = `INSERT INTO calls (${CALL_COLUMNS.join(', ')}, created_at)
  SELECT ${CALL_COLUMNS.join(', ')}, coalesce(created_at, now()) FROM jsonb_populate_recordset(NULL::calls, $1) RETURNING id, token`;

/** Summary of the calls of one lead: number, cost and the last call. */
export interface LeadCallSummary {
  lead_id: number;
  calls: number;
  total_cost_micros: string;
  id: number;
  client_phone_number: string;
  status: CallStatus;
  answered_by: AnsweredBy;
  ended_by: EndedBy | null;
  ended_reason: string | null;
  duration: number;
  evaluation: Record<string, unknown>;
  created_at: Date;
}

/** With the assistant's actions in it. */
export type EndedCallView = CallView & { actions: readonly CallAction[] };

/** Creates call records and reads them for other modules. */
@Injectable()
export class CallsRepository {
  private readonly views = new BatchLoader<number, CallView | null>((ids) => this.find(ids), MAX_BATCH);
  private readonly ended = new BatchLoader<number, EndedCallView | null>(
    (ids) => this.findEnded(ids),
    MAX_BATCH,
  );
  private readonly byTokens = new BatchLoader<string, CallView | null>(
    (tokens) => this.findByTokens(tokens),
    MAX_BATCH,
  );

  private readonly byIds: (values: unknown[]) => Promise<CallView[]>;
  private readonly withActions: (values: unknown[]) => Promise<(CallView & { runs: StoredActionRun[] })[]>;
  private readonly withTokens: (values: unknown[]) => Promise<CallView[]>;

  constructor(
    db: DataSource,
    @InjectRepository(Call) private readonly calls: Repository<Call>,
  ) {
    const select = new EntitySelect(db, Call, 'c', CALL_VIEW_PROPERTIES);
    this.byIds = select.prepareQuery('WHERE c.id = ANY($1)');
    this.withActions = select.prepareQuery<{ runs: StoredActionRun[] }>(
      'WHERE c.id = ANY($1)',
      `${actionRunsSql('c.id')} AS runs`,
    );
    this.withTokens = select.prepareQuery('WHERE c.token = ANY($1)');
  }

  /**
   * Runs in the caller's transaction before the request to the carrier: a call without a record is never dialled. One
   * statement for any number of calls, so that it is prepared.
   *
   * @returns in the order of the calls
   */
  async insertCalls(tx: EntityManager, calls: readonly NewCall[]): Promise<InsertedCall[]> {
    const tokens = calls.map(newToken);
    const rows = calls.map((call, n) => toCallRow(call, storedToken(call, tokens[n] ?? '')));
    const inserted: InsertedCall[] = await tx.query(INSERT, [JSON.stringify(rows)]);
    const ids = new Map(inserted.map(({ id, token }) => [token, id]));
    return rows.map(({ token: stored }, n) => {
      const id = ids.get(stored);
      const token = tokens[n];
      if (id === undefined || token === undefined) throw new Error('a call was not inserted');
      return { id, token };
    });
  }

  async insertCall(tx: EntityManager, call: NewCall): Promise<InsertedCall> {
    const [inserted] = await this.insertCalls(tx, [call]);
    if (!inserted) throw new Error('no call was inserted');
    return inserted;
  }

  /** Concurrent calls share a query, as those of the next method do. */
  findView(id: number): Promise<CallView | null> {
    return this.views.load(id);
  }

  findEndedCall(id: number): Promise<EndedCallView | null> {
    return this.ended.load(id);
  }

  findByToken(token: string): Promise<CallView | null> {
    return this.byTokens.load(token);
  }

  /**
   * A new ticket for a web call whose first one nobody got: the process that made it died before it answered.
   * @returns the ticket; of a call whose line was opened, one that opens nothing
   */
  async replaceTicket(id: number): Promise<string> {
    const ticket = newToken();
    await this.calls.update({ id, type: 'web', status: 'initiated' }, { token: storedTicket(ticket) });
    return ticket;
  }

  /** The call created by an earlier API request with this idempotency key. */
  findByRequest(requestId: string): Promise<CallView | null> {
    return this.calls.findOneBy({ requestId });
  }

  /** Calls of the account to the number that the carrier accepted, deleted ones too. */
  async countDialled(
    tx: EntityManager,
    accountId: number,
    phoneNumber: string,
  ): Promise<{ day: number; month: number }> {
    const [count]: [{ day: number; month: number }] = await tx.query(
      `SELECT count(*) FILTER (WHERE created_at > now() - interval '24 hours')::int AS day, count(*)::int AS month
         FROM calls
        WHERE account_id = $1 AND client_phone_number = $2 AND created_at > now() - interval '30 days'
          AND type = 'outbound' AND carrier_sid IS NOT NULL`,
      [accountId, phoneNumber],
    );
    return count;
  }

  /** Within a transaction pass its manager, so that no second connection is needed. */
  findBySid(carrierSid: string, tx: EntityManager = this.calls.manager): Promise<CallView | null> {
    return tx.findOneBy(Call, { carrierSid });
  }

  /** The account's running calls of all types. The caller that adds one holds the account's lock. */
  async countRunning(tx: EntityManager, accountId: number): Promise<number> {
    const [row]: { n: number }[] = await tx.query(
      'SELECT count(*)::int AS n FROM running_calls WHERE account_id = $1',
      [accountId],
    );
    return row?.n ?? 0;
  }

  /** Whether a call of the account runs on one of its numbers (E.164). */
  async hasRunningCall(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'SELECT 1 FROM running_calls WHERE account_id = $1 AND assistant_phone_number = $2 LIMIT 1',
      [accountId, phoneNumber],
    );
    return rows.length > 0;
  }

  /**
   * Claims the exclusive right to store and end the call's conversation. A session that opens after the end gets
   * none.
   *
   * @returns the claim; null: the conversation has been ended
   */
  claimConversation(id: number): Promise<number | null> {
    return this.incrementClaim(id, 'ended_by IS NULL');
  }

  /**
   * As `claimConversation`, for announcements of the carrier, also when the conversation has ended. The claim of an
   * erased call, 0, writes nothing.
   */
  async claimTranscript(id: number): Promise<number> {
    return (await this.incrementClaim(id, 'true')) ?? 0;
  }

  private async incrementClaim(id: number, condition: string): Promise<number | null> {
    const [rows]: [{ claim: number }[], number] = await this.calls.query(
      `UPDATE calls SET conversation_claim = conversation_claim + 1 WHERE id = $1 AND erased_at IS NULL AND ${condition}
        RETURNING conversation_claim AS claim`,
      [id],
    );
    return rows[0]?.claim ?? null;
  }

  /** By the lead's id; calls whose record is deleted do not count. */
  async findByLeads(campaignId: number, leadIds: number[]): Promise<Map<number, LeadCallSummary>> {
    const rows: LeadCallSummary[] = await this.calls.query(
      `SELECT DISTINCT ON (lead_id) lead_id, id, client_phone_number, status, answered_by, ended_by, ended_reason,
              duration, evaluation, created_at, (count(*) OVER same)::int AS calls,
              sum(total_cost_micros) OVER same AS total_cost_micros
         FROM calls WHERE lead_id = ANY($2) AND campaign_id = $1 AND deleted_at IS NULL
       WINDOW same AS (PARTITION BY lead_id) ORDER BY lead_id, created_at DESC, id DESC`,
      [campaignId, leadIds],
    );
    return new Map(rows.map((row) => [row.lead_id, row]));
  }

  async storeSettingsNotApplied(id: number, settings: string[]): Promise<void> {
    await this.calls.update(id, { settingsNotApplied: settings });
  }

  /** After a failure of the synthesizer, `voice_id` counts as not applied. */
  async storeProviderFailure(id: number, failure: ProviderFailure): Promise<void> {
    await this.calls.query(
      `UPDATE calls SET provider_failures = provider_failures || $2::jsonb,
              settings_not_applied = CASE WHEN $3 AND NOT 'voice_id' = ANY(settings_not_applied)
                THEN settings_not_applied || 'voice_id'::text ELSE settings_not_applied END
        WHERE id = $1`,
      [id, JSON.stringify([failure]), failure.kind === 'synthesizer'],
    );
  }

  /** Of a call that runs; one that has ended meanwhile keeps those that it has. */
  async setVariables(id: number, variables: Record<string, unknown>): Promise<void> {
    await this.calls.update({ id, endedAt: IsNull() }, { variables: variables as never });
  }

  private async find(ids: number[]): Promise<(CallView | null)[]> {
    return orderByKeys(ids, await this.byIds([ids]), ({ id }) => id);
  }

  private async findEnded(ids: number[]): Promise<(EndedCallView | null)[]> {
    const calls = (await this.withActions([ids])).map((call) => ({
      ...call,
      actions: toActions(call.runs),
    }));
    return orderByKeys(ids, calls, ({ id }) => id);
  }

  private async findByTokens(tokens: string[]): Promise<(CallView | null)[]> {
    return orderByKeys(tokens, await this.withTokens([tokens]), ({ token }) => token);
  }
}

/** The token of a call by telephone only names it in the carrier's callbacks, which are signed. */
const storedToken = ({ type }: NewCall, token: string): string =>
  type === 'web' ? storedTicket(token) : token;

/** For each key its row, or null. */
function orderByKeys<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}
