import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the recording of each call lies, and what is still to be done with it. Written by triggers: whatever stores a
 * recording's address, marks a call as deleted or removes its row has the work written in the same transaction.
 * Recordings of calls that were deleted before stay at the carrier.
 */
export class Recordings20261122003000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- The newest key signs; every key verifies.
      CREATE TABLE recording_keys (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        secret bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now());
      -- Without references: the row outlives its call and its account until the recording is deleted.
      CREATE TABLE recordings (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        call_id int NOT NULL UNIQUE,
        carrier_url text NOT NULL,
        -- 'new': to be copied, if copies are wanted; 'copied': to be deleted at the carrier
        state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'copied', 'kept', 'deleting')),
        storage text NOT NULL DEFAULT 'carrier' CHECK (storage IN ('carrier', 'folder', 's3')),
        object_key text,
        bytes bigint,
        content_type text,
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now());
      CREATE INDEX recordings_account_due ON recordings (account_id, due_at, id) WHERE state <> 'kept'`);
    await db.query('INSERT INTO recording_keys (secret) VALUES ($1)', [randomBytes(32)]);
    await db.query(`
      INSERT INTO recordings (account_id, call_id, carrier_url, state)
      SELECT account_id, id, recording_url, 'kept' FROM calls
       WHERE recording_url IS NOT NULL AND deleted_at IS NULL`);
    await db.query(`
      CREATE FUNCTION follow_recording() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'DELETE' AND NEW.recording_url IS NOT NULL THEN
          INSERT INTO recordings (account_id, call_id, carrier_url)
          VALUES (NEW.account_id, NEW.id, NEW.recording_url) ON CONFLICT (call_id) DO NOTHING;
        END IF;
        IF TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL THEN
          -- Not before the lease of a process that is copying it ends.
          UPDATE recordings SET state = 'deleting', due_at = greatest(due_at, now())
           WHERE call_id = coalesce(NEW.id, OLD.id) AND state <> 'deleting';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_recording_insert AFTER INSERT ON calls FOR EACH ROW
        WHEN (NEW.recording_url IS NOT NULL) EXECUTE FUNCTION follow_recording();
      CREATE TRIGGER calls_recording_update AFTER UPDATE OF recording_url, deleted_at ON calls FOR EACH ROW
        WHEN (NEW.recording_url IS NOT NULL AND (NEW.recording_url IS DISTINCT FROM OLD.recording_url
          OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)) EXECUTE FUNCTION follow_recording();
      CREATE TRIGGER calls_recording_delete AFTER DELETE ON calls FOR EACH ROW
        WHEN (OLD.recording_url IS NOT NULL) EXECUTE FUNCTION follow_recording()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_recording_insert ON calls;
      DROP TRIGGER calls_recording_update ON calls;
      DROP TRIGGER calls_recording_delete ON calls;
      DROP FUNCTION follow_recording();
      DROP TABLE recordings, recording_keys`);
  }
}
