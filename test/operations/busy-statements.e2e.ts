import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { databaseUrl } from '../support/database.js';

const pool = new SharedPool({ connectionString: databaseUrl(), max: 1, accountShare: 1, jobsShare: 1 });
let client: PoolClient;
const read = async (): Promise<unknown[]> => {
  const { rows } = await client.query<object>('SELECT * FROM changing WHERE id > $1', [0]);
  return rows;
};

beforeAll(async () => {
  client = await pool.connect();
  await client.query('CREATE TEMPORARY TABLE changing AS SELECT 1 AS id');
});
afterAll(async () => {
  client.release();
  await pool.end();
});

it('prepares a statement that runs often, and runs it again after its table changes', async () => {
  for (let runs = 0; runs < 20; runs++) expect(await read()).toEqual([{ id: 1 }]);
  const prepared = await client.query('SELECT statement FROM pg_prepared_statements');
  expect(prepared.rows).toEqual([{ statement: 'SELECT * FROM changing WHERE id > $1' }]);
  await client.query('ALTER TABLE changing ADD COLUMN name text');
  await expect(read()).rejects.toMatchObject({ code: '0A000' });
  expect(await read()).toEqual([{ id: 1, name: null }]);
});
