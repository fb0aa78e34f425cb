import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tells an interrupted rotation of data keys from a new one. */
export class KeyRotations20261128221000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE key_rotations (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        up_to int NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz
      );
      CREATE UNIQUE INDEX key_rotations_open ON key_rotations (ended_at) NULLS NOT DISTINCT WHERE ended_at IS NULL;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE key_rotations;');
  }
}
