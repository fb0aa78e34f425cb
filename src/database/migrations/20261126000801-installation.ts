import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Installation20261126000801 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE installation (
        id uuid PRIMARY KEY
      );

      CREATE TABLE typeorm_metadata (
        type varchar NOT NULL, database varchar, schema varchar, "table" varchar, name varchar, value text
      );
      INSERT INTO installation VALUES (gen_random_uuid());
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE installation, typeorm_metadata;
    `);
  }
}
