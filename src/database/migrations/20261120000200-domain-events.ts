import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DomainEvents20261120000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE domain_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        payload jsonb NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'dead')),
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX domain_events_due ON domain_events (due_at, id) WHERE state = 'pending';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE domain_events');
  }
}
