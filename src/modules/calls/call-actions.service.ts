import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import {
  ACTION_TOOLS,
  type ActionRun,
  actionOf,
  type CallAction,
  VOICEMAIL_TOOL,
  type VoicemailOutcome,
} from './call-actions.js';

const MAX_BATCH = 50;
/** The first actions of a call; a menu without a way out may have many. */
const MAX_ACTIONS = 50;
/** The conversation's process counts by itself, and may store some turns after the machine's outcome. */
const NUMBERS_LEFT_FREE = 1_000;

/** Of tool runs `run`: those that `actionOf` takes for actions. @param keys names the parameter with KEYS */
const isAction = (keys: string): string =>
  `run.status_code IS NULL AND jsonb_typeof(run.arguments -> (${keys}::jsonb ->> run.tool_name)) = 'string'`;

/** The argument that an action has, by the name of its tool. */
const KEYS = JSON.stringify(
  Object.fromEntries(Object.entries(ACTION_TOOLS).map(([name, { argument }]) => [name, argument])),
);

type ActionRow = ActionRun & { callId: number; at: Date };

/** What assistants did in calls: keys, languages, callbacks, call screening and answering machines. */
@Injectable()
export class CallActionsService {
  private readonly counter: Counter<'action' | 'status'>;
  /** Batches look-ups: calls often end together. */
  private readonly lists = new BatchLoader<number, CallAction[]>((ids) => this.find(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    { registry }: MetricsService,
  ) {
    this.counter = new Counter({
      name: 'call_actions_total',
      help: 'Keys, changes of language, callbacks, steps of call screening and answering machines in calls.',
      labelNames: ['action', 'status'],
      registers: [registry],
    });
  }

  /** In order, at most 50. */
  actionsOf(callId: number): Promise<CallAction[]> {
    return this.lists.load(callId);
  }

  /** Number of a campaign's calls that have a successful action of each type; types without one are absent. */
  async countByType(accountId: number, campaignId: number): Promise<Record<string, number>> {
    const rows: { name: string; n: number }[] = await this.db.query(
      `SELECT run.tool_name AS name, count(DISTINCT run.call_id)::int AS n
         FROM calls JOIN call_tool_runs run ON run.call_id = calls.id
        WHERE calls.account_id = $1 AND calls.campaign_id = $2 AND calls.deleted_at IS NULL AND run.ok
          AND ${isAction('$3')} GROUP BY 1`,
      [accountId, campaignId, KEYS],
    );
    return Object.fromEntries(rows.flatMap(({ name, n }) => [[ACTION_TOOLS[name]?.type ?? name, n]]));
  }

  /** To be called once for each tool run that was stored. */
  stored(run: ActionRun): void {
    const action = actionOf(run);
    if (action) this.counter.inc({ action: action.type, status: action.status });
  }

  /**
   * Stores what became of an answering machine, once per call, in the transaction of the change that it tells of, which
   * holds the lock of the call's row.
   */
  async storeVoicemail(tx: EntityManager, callId: number, outcome: VoicemailOutcome): Promise<void> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms)
       SELECT $1::int, $4::int + greatest((SELECT max(seq) FROM call_turns WHERE call_id = $1),
                (SELECT max(seq) FROM call_tool_runs WHERE call_id = $1), 0), $2::text, $3::jsonb, '', true, 0
        WHERE NOT EXISTS (SELECT 1 FROM call_tool_runs WHERE call_id = $1 AND tool_name = $2 AND answer = '')
       RETURNING seq`,
      [callId, VOICEMAIL_TOOL, { outcome }, NUMBERS_LEFT_FREE],
    );
    if (rows.length === 0) return;
    this.stored({ toolName: VOICEMAIL_TOOL, arguments: { outcome }, ok: true, statusCode: null });
  }

  private async find(callIds: number[]): Promise<CallAction[][]> {
    const rows: ActionRow[] = await this.db.query(
      `SELECT run.* FROM unnest($1::int[]) AS call (id) CROSS JOIN LATERAL (
         SELECT call_id AS "callId", tool_name AS "toolName", arguments, ok, status_code AS "statusCode",
                created_at AS at, seq
           FROM call_tool_runs run WHERE call_id = call.id AND ${isAction('$2')}
          ORDER BY seq LIMIT $3) AS run ORDER BY call.id, run.seq`,
      [[...new Set(callIds)], KEYS, MAX_ACTIONS],
    );
    return callIds.map((id) =>
      rows.flatMap((row) => {
        const action = row.callId === id ? actionOf(row) : null;
        return action ? [{ ...action, at: row.at }] : [];
      }),
    );
  }
}
