import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { numberOfForm } from '#src/common/personal-data.js';
import type { RetentionScope } from '../../retention/retention-plan.js';
import { findOldRows } from '../../retention/old-rows.js';
import { RetentionRegistryService } from '../../retention/retention-registry.service.js';
import { NumberHashesService } from '../../suppressions/number-hashes.service.js';
import { isPhoneNumber } from '../client-number.js';
import type { CallType } from '../states/call-states.js';

/** A call whose wrap-up is not done is not final. */
const FINAL = `wrap_up_state IS DISTINCT FROM 'pending'`;

/** The limits of calls to one number count those of the last 30 days by their numbers. */
const NUMBERS_COUNT_DAYS = 31;

/** SQL: the hashes of the call in a parameter of `hashNumbers`; those that it has where the parameter has none. */
const hashesIn = (parameter: string): string =>
  `coalesce((SELECT hashes FROM jsonb_to_recordset(${parameter}) AS hashed (id int, hashes text[])
              WHERE hashed.id = calls.id), number_hashes)`;

/**
 * Removes contents of calls. Their rows, times, costs and statuses stay. Methods with ids take calls of one account that
 * are final.
 */
@Injectable()
export class CallRetentionService implements OnModuleInit {
  constructor(
    private readonly retention: RetentionRegistryService,
    private readonly hashes: NumberHashesService,
  ) {}

  onModuleInit(): void {
    this.retention.register('recordings', async (tx, scope) => {
      const ids = await findOld(tx, scope, 'recording_url IS NOT NULL');
      return removeWhere(ids, () => this.removeRecordings(tx, ids));
    });
    this.retention.register('transcripts', async (tx, scope) => {
      const ids = await findOld(tx, scope, 'transcript_deleted_at IS NULL');
      return removeWhere(ids, () => this.removeTranscripts(tx, ids));
    });
    this.retention.register('variables', async (tx, scope) => {
      const ids = await findOld(tx, scope, 'variables_deleted_at IS NULL');
      return removeWhere(ids, () => this.removeVariables(tx, scope, ids));
    });
    this.retention.register('numbers', async (tx, scope) => {
      const ids = await findUnmasked(tx, scope);
      return removeWhere(ids, () => this.maskNumbers(tx, scope, ids));
    });
  }

  /** The files are deleted afterwards, wherever they are: a trigger marks the row of the recording. */
  async removeRecordings(tx: EntityManager, ids: readonly number[]): Promise<void> {
    await tx.query('UPDATE calls SET recording_url = NULL WHERE id = ANY($1)', [ids]);
  }

  /**
   * Times of turns and tools stay, and which tools ran how. An action keeps its argument, empty: it is counted as one
   * when the call is deleted.
   */
  async removeTranscripts(tx: EntityManager, ids: readonly number[]): Promise<void> {
    await tx.query(
      `UPDATE calls SET transcript = '', transcript_deleted_at = coalesce(transcript_deleted_at, now())
        WHERE id = ANY($1)`,
      [ids],
    );
    await tx.query(`UPDATE call_turns SET text = '' WHERE call_id = ANY($1) AND text <> ''`, [ids]);
    await tx.query(
      `UPDATE call_tool_runs run SET answer = '', error = NULL,
              arguments = CASE WHEN action_detail(run) IS NULL THEN '{}'
                ELSE jsonb_build_object(action_argument(tool_name), '') END
        WHERE call_id = ANY($1)`,
      [ids],
    );
    await tx.query('DELETE FROM call_webhook_responses WHERE call_id = ANY($1)', [ids]);
    await tx.query('DELETE FROM live_events WHERE call_id = ANY($1)', [ids]);
  }

  /**
   * Statistics stay as they are, except that texts of evaluations count as `other`. What a web call has of a person's
   * number is a variable.
   */
  async removeVariables(
    tx: EntityManager,
    { accountId }: Pick<RetentionScope, 'accountId'>,
    ids: readonly number[],
  ): Promise<void> {
    const calls: { id: number; values: string[] }[] = await tx.query(
      `SELECT id, ARRAY(SELECT variable.value FROM jsonb_each_text(variables) AS variable
                         WHERE variable.value IS NOT NULL) AS values
         FROM calls WHERE id = ANY($1) AND type = 'web' AND variables <> '{}'`,
      [ids],
    );
    const written = calls.map(({ id, values }) => ({
      id,
      numbers: values.flatMap((value) => numberOfForm(value) ?? []),
    }));
    await tx.query(
      `UPDATE calls SET number_hashes = ${hashesIn('$2')}, variables = '{}', visitor_variables = '{}',
              evaluation = '{}', evaluation_error = NULL,
              counted_evaluation = coalesce(counted_evaluation, call_evaluation_rest(evaluation_plan, evaluation)),
              variables_deleted_at = coalesce(variables_deleted_at, now())
        WHERE id = ANY($1)`,
      [ids, await this.hashNumbers(tx, accountId, written)],
    );
  }

  /** Of the customer; attempts follow by a trigger. */
  async maskNumbers(
    tx: EntityManager,
    { accountId }: Pick<RetentionScope, 'accountId'>,
    ids: readonly number[],
  ): Promise<void> {
    const calls: { id: number; client: string }[] = await tx.query(
      'SELECT id, client_phone_number AS client FROM calls WHERE id = ANY($1) AND NOT number_masked',
      [ids],
    );
    const dialled = calls.map(({ id, client }) => ({ id, numbers: isPhoneNumber(client) ? [client] : [] }));
    await tx.query(
      `UPDATE calls SET number_hashes = ${hashesIn('$2')},
              client_phone_number = masked_number(client_phone_number), number_masked = true
        WHERE id = ANY($1) AND NOT number_masked`,
      [ids, await this.hashNumbers(tx, accountId, dialled)],
    );
  }

  /** Erasures and exports find the calls by them. @returns the hashes as JSON, for `hashesIn` */
  private async hashNumbers(
    tx: EntityManager,
    accountId: number,
    calls: readonly { id: number; numbers: readonly string[] }[],
  ): Promise<string> {
    const found = calls.filter(({ numbers }) => numbers.length > 0);
    const all = found.flatMap(({ numbers }) => numbers);
    const hashes = await this.hashes.hashNumbers(tx, accountId, all);
    const hashOf = new Map(all.map((number, n) => [number, hashes[n]]));
    return JSON.stringify(
      found.map(({ id, numbers }) => ({ id, hashes: numbers.map((number) => hashOf.get(number)) })),
    );
  }
}

const removeWhere = async (ids: readonly number[], remove: () => Promise<void>): Promise<number> => {
  if (ids.length > 0) await remove();
  return ids.length;
};

const findOld = (tx: EntityManager, scope: RetentionScope, condition: string): Promise<number[]> =>
  findOldRows(tx, scope, { table: 'calls', time: 'ended_at', condition: `${condition} AND ${FINAL}` });

async function findUnmasked(tx: EntityManager, scope: RetentionScope): Promise<number[]> {
  const find = (also: string): Promise<number[]> =>
    findOld(tx, scope, `transcript_deleted_at IS NOT NULL AND NOT number_masked AND ${also}`);
  for (const type of ['inbound', 'web'] satisfies CallType[]) {
    const ids = await find(`type = '${type}'`);
    if (ids.length > 0) return ids;
  }
  return find(`type = 'outbound' AND ended_at < now() - interval '${NUMBERS_COUNT_DAYS} days'`);
}
