import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { AccountsService } from '#src/modules/accounts/accounts.service.js';
import type { TransferOutcome } from '#src/modules/telephony/carrier-reports.js';
import { type Transfer, type TransferStatus, applyTransferOutcome } from './call-transfers.js';
import { Call } from '../entities/call.entity.js';

/** Name of the model's transfer tool in call records. */
const TRANSFER_TOOL = 'transfer_call';

/** Tool result for the model when the call returns. */
const toToolResult = (status: TransferStatus): string =>
  JSON.stringify(
    status === 'dialing'
      ? { status: 'The call is being handed over.' }
      : { error: `Nobody could be reached there (${status}). The customer has been told so.` },
  );

export interface NewTransfer {
  callId: number;
  accountId: number;
  /** As in `CallsRepository.claimConversation`. */
  claim: number;
  seq: number;
  name: string;
  /** E.164 */
  to: string;
}

/** Transfer attempts. Statuses only advance, also with late and repeated reports. */
@Injectable()
export class CallTransfersService {
  private readonly outcomes: Counter<'status'>;

  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    { registry }: MetricsService,
  ) {
    this.outcomes = new Counter({
      name: 'call_transfers_total',
      help: 'Attempts to hand a call over to a person, by what became of them.',
      labelNames: ['status'],
      registers: [registry],
    });
  }

  /**
   * Stores attempt and tool run in one statement, before the assistant leaves the call. Forbidden destinations are not
   * dialled: the attempt has failed. A hang-up scheduled by machine detection is dropped. Nothing is stored for a call
   * that has ended or that another process has taken over.
   */
  async beginTransfer({ callId, accountId, claim, seq, name, to }: NewTransfer): Promise<void> {
    const { allowedCountries } = await this.accounts.accountView(accountId);
    const refused = isAllowedDestination(to, allowedCountries) ? null : 'failed';
    const status = refused ?? 'dialing';
    const stored: unknown[] = await this.db.query(
      `WITH call AS (
         UPDATE calls SET updated_at = now(), hang_up_at = NULL, transfers = transfers || jsonb_build_object('seq', $3::int, 'name', $4::text,
                'to', $5::text, 'status', $8::text, 'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          WHERE id = $1 AND conversation_claim = $2 AND ended_by IS NULL AND ended_at IS NULL
            AND NOT transfers @> jsonb_build_array(jsonb_build_object('seq', $3::int)) RETURNING id)
       INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms, error)
       SELECT id, $3::int, $6::text, jsonb_build_object('to', $4::text), $7::text, $9::text IS NULL, 0, $9::text FROM call
           ON CONFLICT (call_id, seq) DO NOTHING RETURNING seq`,
      [callId, claim, seq, name, to, TRANSFER_TOOL, toToolResult(status), status, refused],
    );
    if (refused && stored.length > 0) this.outcomes.inc({ status: refused });
  }

  /** @returns the updated attempt; null: the call has no such attempt */
  async concludeTransfer(callId: number, seq: number, outcome: TransferOutcome): Promise<Transfer | null> {
    return this.db.transaction(async (tx) => {
      const call = await tx.findOne(Call, {
        select: { id: true, transfers: true },
        where: { id: callId },
        lock: { mode: 'pessimistic_write' },
      });
      const before = call?.transfers.find((transfer) => transfer.seq === seq);
      if (!call || !before) return null;
      const after = before.status === 'dialing' ? outcome : before.status;
      if (before.status === 'dialing') {
        await tx.update(Call, callId, { transfers: applyTransferOutcome(call.transfers, outcome, seq) });
        this.outcomes.inc({ status: outcome });
      }
      if (after !== 'answered') await this.failToolRun(tx.query.bind(tx), callId, seq, after);
      return { ...before, status: after };
    });
  }

  private async failToolRun(
    query: (sql: string, values: unknown[]) => Promise<unknown>,
    callId: number,
    seq: number,
    outcome: TransferOutcome,
  ): Promise<void> {
    await query(
      `UPDATE call_tool_runs SET ok = false, answer = $3, error = $4,
              duration_ms = (extract(epoch FROM clock_timestamp() - created_at) * 1000)::int
        WHERE call_id = $1 AND seq = $2 AND ok`,
      [callId, seq, toToolResult(outcome), outcome],
    );
  }
}
