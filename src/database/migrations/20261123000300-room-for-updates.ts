import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts of some kilobytes, which pglz takes longer to compress than to write. */
const LONG_TEXTS = [
  ['webhook_deliveries', 'body'],
  ['calls', 'transcript'],
] as const;

/**
 * Makes rows cheaper to write. A call is updated about ten times: with free space in its page, an update that changes no
 * indexed column leaves the indexes alone. Long texts are compressed with lz4 where the server has it. Both hold for
 * what is written from now on.
 */
export class RoomForUpdates20261123000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls SET (fillfactor = 75)');
    const [{ hasLz4 }]: [{ hasLz4: boolean }] = await db.query(
      `SELECT count(*) > 0 AS "hasLz4" FROM pg_settings
        WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`,
    );
    for (const [table, column] of hasLz4 ? LONG_TEXTS : [])
      await db.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET COMPRESSION lz4`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls RESET (fillfactor)');
    for (const [table, column] of LONG_TEXTS)
      await db.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET COMPRESSION default`);
  }
}
