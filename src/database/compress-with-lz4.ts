import type { QueryRunner } from 'typeorm';

/** From now on, where the server has lz4: pglz takes as long as all else that a row with a long text needs. */
export async function compressWithLz4(db: QueryRunner, table: string, column: string): Promise<boolean> {
  const [{ hasLz4 }]: [{ hasLz4: boolean }] = await db.query(
    `SELECT count(*) > 0 AS "hasLz4" FROM pg_settings
      WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`,
  );
  if (hasLz4) await db.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET COMPRESSION lz4`);
  return hasLz4;
}
