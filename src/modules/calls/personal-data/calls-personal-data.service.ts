import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, type EntityManager } from 'typeorm';
import { PERSONAL_DATA_BATCH, type Person, type PersonalDataCounts } from '#src/common/personal-data.js';
import { maskNumber } from '#src/common/phone/mask-number.js';
import { CarrierCalls } from '../../telephony/carrier-calls.js';
import { CallStatisticsService } from '../analytics/call-statistics.service.js';
import { CallHasEnded } from '../calls.errors.js';
import { Call } from '../entities/call.entity.js';
import { CallHangUpService } from '../states/call-hang-up.service.js';
import { FINAL_STATUSES } from '../states/call-states.js';
import { OF_PERSON, valuesOf } from './calls-of-person.js';

/** A call of the person that no longer changes. */
export interface PersonalCall {
  id: number;
  carrierSid: string | null;
  /** Of the request with an `Idempotency-Key` that placed it. */
  requestId: string | null;
}

const SUM_UP_MS = 2_000;

/** Actions of an assistant count for its campaign once a call, see count_actions.sql. */
const UNCOUNT_ACTIONS = `INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
  SELECT campaign_id, 'action', tool_name, counting_part(campaign_id), -count(*) FROM (
    SELECT DISTINCT calls.id, campaign_id, tool_name FROM calls JOIN call_tool_runs run ON run.call_id = calls.id
     WHERE calls.id = ANY($1) AND campaign_id IS NOT NULL AND deleted_at IS NULL AND is_action(run)) AS gone
   GROUP BY campaign_id, tool_name
  ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n`;

/** Erases what calls have of the person who was called or has called; their rows stay for the accounts. */
@Injectable()
export class CallsPersonalDataService {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly hangUp: CallHangUpService,
    private readonly carrier: CarrierCalls,
    private readonly statistics: CallStatisticsService,
  ) {}

  /** Ends the person's calls. @returns whether one runs, or is not final yet */
  async endRunning(person: Person): Promise<boolean> {
    const rows: { id: number; is_asked: boolean }[] = await this.calls.query(
      `SELECT id, ended_at IS NOT NULL OR coalesce(hang_up_at <= now(), false) AS is_asked FROM calls
        WHERE ${OF_PERSON} AND status <> ALL($5) ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
      [...valuesOf(person), FINAL_STATUSES],
    );
    const running = rows.filter((row) => !row.is_asked).map(({ id }) => id);
    for (const call of running.length > 0 ? await this.calls.findBy({ id: In(running) }) : []) {
      await this.hangUp.end(call).catch((error: unknown) => {
        if (!(error instanceof CallHasEnded)) throw error;
      });
    }
    return rows.length > 0;
  }

  /** The oldest calls of the person that are final. */
  findFinal(person: Person): Promise<PersonalCall[]> {
    return this.calls.query(
      `SELECT id, carrier_sid AS "carrierSid", request_id AS "requestId" FROM calls
        WHERE ${OF_PERSON} AND status = ANY($5) ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
      [...valuesOf(person), FINAL_STATUSES],
    );
  }

  /** The calls to all numbers of leads: their deliveries have the lead. */
  async findOfLeads(accountId: number, leadIds: readonly number[]): Promise<number[]> {
    const calls = await this.calls.find({
      select: { id: true },
      where: { accountId, leadId: In([...leadIds]) },
    });
    return calls.map(({ id }) => id);
  }

  /** Removes the carrier's records of the calls. @returns false: for the carrier one is not over yet */
  async deleteAtCarrier(calls: readonly PersonalCall[]): Promise<boolean> {
    let isDone = true;
    for (const { carrierSid } of calls)
      if (carrierSid !== null) isDone = (await this.carrier.deleteCall(carrierSid)) && isDone;
    return isDone;
  }

  /** So that nothing adds a recording, a turn or a tool run to them until the end of the transaction. */
  async lock(tx: EntityManager, ids: readonly number[]): Promise<void> {
    await tx.query('SELECT id FROM calls WHERE id = ANY($1) ORDER BY account_id, id FOR UPDATE', [ids]);
  }

  /** The recordings lie nowhere any more. A conversation that still runs stores nothing from here on. */
  async erase(tx: EntityManager, person: Person, ids: readonly number[]): Promise<PersonalDataCounts> {
    const [recorded]: { n: number }[] = await tx.query(
      'SELECT count(recording_url)::int AS n FROM calls WHERE id = ANY($1)',
      [ids],
    );
    await tx.query(UNCOUNT_ACTIONS, [ids]);
    const tool_runs = await affected(tx, 'DELETE FROM call_tool_runs WHERE call_id = ANY($1)', [ids]);
    // Counted before: the end of a turn is told to who watches the call.
    const live = await affected(tx, 'DELETE FROM live_events WHERE call_id = ANY($1)', [ids]);
    const turns = await affected(tx, 'DELETE FROM call_turns WHERE call_id = ANY($1)', [ids]);
    await tx.query('DELETE FROM call_webhook_responses WHERE call_id = ANY($1)', [ids]);
    const calls = await affected(
      tx,
      `UPDATE calls SET client_phone_number = CASE WHEN type = 'web' THEN client_phone_number ELSE $2 END,
              number_hashes = NULL, variables = '{}', visitor_variables = '{}', transcript = '', evaluation = '{}',
              counted_evaluation = '{}', evaluation_error = NULL, carrier_sid = NULL, recording_url = NULL,
              price_check_at = NULL, number_masked = true, conversation_claim = conversation_claim + 1,
              erased_at = now(), updated_at = now()
        WHERE id = ANY($1)`,
      [ids, maskNumber(person.phoneNumber)],
    );
    await tx.query('DELETE FROM live_events WHERE call_id = ANY($1)', [ids]);
    return { calls, turns, tool_runs, recordings: recorded?.n ?? 0, live_events: live };
  }

  /** Values of evaluations that only erased calls had. @returns false: not yet */
  async forgetStatistics({ accountId }: Person): Promise<boolean> {
    await this.statistics.sumAll(AbortSignal.timeout(SUM_UP_MS));
    return this.statistics.forgetUnusedValues(accountId);
  }
}

async function affected(tx: EntityManager, statement: string, values: unknown[]): Promise<number> {
  const [, count] = (await tx.query(statement, values)) as [unknown[], number];
  return count;
}
