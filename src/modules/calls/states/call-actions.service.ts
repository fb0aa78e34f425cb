import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { ACTION_BY_TOOL, VOICEMAIL_TOOL, type VoicemailOutcome } from './call-actions.js';

/** `seq` numbers left for turns that the conversation's process may store after the voicemail entry. */
const RESERVED_SEQ_NUMBERS = 1_000;

/** Actions of assistants in calls: keys, languages, callbacks, call screening and answering machines. */
@Injectable()
export class CallActionsService {
  private readonly counter: Counter<'action' | 'status'>;

  constructor({ registry }: MetricsService) {
    this.counter = new Counter({
      name: 'call_actions_total',
      help: 'Keys, changes of language, callbacks, steps of call screening and answering machines in calls.',
      labelNames: ['action', 'status'],
      registers: [registry],
    });
  }

  /** Counts a stored action in the metrics. Called once for each. */
  countAction({ toolName, ok }: { toolName: string; ok: boolean }): void {
    const action = ACTION_BY_TOOL[toolName];
    if (action) this.counter.inc({ action, status: ok ? 'ok' : 'failed' });
  }

  /**
   * Stores the outcome of an answering machine, once per call, in the transaction of the related change, which holds
   * the lock of the call's row.
   */
  async storeVoicemail(tx: EntityManager, callId: number, outcome: VoicemailOutcome): Promise<void> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms)
       SELECT $1::int, $4::int + greatest((SELECT max(seq) FROM call_turns WHERE call_id = $1),
                (SELECT max(seq) FROM call_tool_runs WHERE call_id = $1), 0), $2::text, $3::jsonb, '', true, 0
        WHERE NOT EXISTS (SELECT 1 FROM call_tool_runs WHERE call_id = $1 AND tool_name = $2 AND answer = '')
       RETURNING seq`,
      [callId, VOICEMAIL_TOOL, { outcome }, RESERVED_SEQ_NUMBERS],
    );
    if (rows.length === 0) return;
    this.countAction({ toolName: VOICEMAIL_TOOL, ok: true });
  }
}
