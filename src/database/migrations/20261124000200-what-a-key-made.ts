import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key keeps what its request has made, so that a process which takes the request over does not make it again. */
export class WhatAKeyMade20261124000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE idempotency_keys ADD made_id int');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE idempotency_keys DROP made_id');
  }
}
