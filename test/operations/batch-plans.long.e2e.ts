import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { assumeFewRows } from '#src/common/persistence/batches.js';
import { UPDATE_CALLS_SQL } from '#src/modules/calls/call-changes.service.js';
import { smsTermsSql } from '#src/modules/sms/sms-terms.service.js';
import { database } from '../support/database.js';

/** The published views of numbers, which read the empty table below instead of the installation's. */
const viewsOfNumbers = ['known_phone_numbers', 'active_phone_numbers'].map((name) =>
  readFileSync(`src/modules/phone-numbers/sql/published/${name}.sql`, 'utf8'),
);

describe('a batch that is joined to a table', () => {
  let client: PoolClient;
  let prepared = 0;

  /** The plan for all values, made while the table is empty, as a fresh installation makes and keeps it. */
  const planOf = async (statement: string): Promise<string> => {
    const name = `batch_${++prepared}`;
    await client.query(`PREPARE ${name} (jsonb) AS ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${name} ('[]')`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const joinedWhere = (condition: string): string =>
    `UPDATE batch_rows SET text = one.text FROM jsonb_to_recordset($1) AS one (n int, token text, text text)
      WHERE batch_rows.token = one.token AND ${condition}`;

  beforeAll(async () => {
    client = await database().connect();
    await client.query(`
      SET search_path = pg_temp, public;
      SET plan_cache_mode = force_generic_plan;
      CREATE TEMPORARY TABLE batch_rows (id int PRIMARY KEY, token text UNIQUE, text text);
      CREATE TEMPORARY TABLE phone_numbers (LIKE public.phone_numbers INCLUDING INDEXES);
      CREATE TEMPORARY TABLE calls (LIKE public.calls INCLUDING INDEXES);
      ${viewsOfNumbers.join(';')}`);
  });

  afterAll(async () => {
    await client.query(
      `DROP TABLE pg_temp.batch_rows, pg_temp.phone_numbers, pg_temp.calls CASCADE; DEALLOCATE ALL;
       RESET plan_cache_mode; RESET search_path`,
    );
    client.release();
  });

  it('finds its rows by the index', async () => {
    const plan = await planOf(joinedWhere(assumeFewRows('n')));
    expect(plan).toContain('Index Scan using batch_rows_token_key');
    expect(plan).not.toContain('Seq Scan');
  });

  it('reads the complete table without the condition, which shows why it is needed', async () => {
    expect(await planOf(joinedWhere('true'))).toContain('Seq Scan on batch_rows');
  });

  it('changes calls in the order of the batch, found by the index', async () => {
    const plan = await planOf(UPDATE_CALLS_SQL);
    expect(plan).toMatch(/Function Scan on jsonb_to_recordset given[^]*Index Scan using calls_pkey on calls/);
    expect(plan).not.toMatch(/Hash|Sort|Seq Scan/);
  });

  it('finds the senders of messages by the index', async () => {
    const plan = await planOf(smsTermsSql('SELECT 1 AS price_micros'));
    expect(plan).toMatch(/Index Scan using \w+ on phone_numbers/);
  });
});
