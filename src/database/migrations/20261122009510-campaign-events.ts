import type { MigrationInterface, QueryRunner } from 'typeorm';

const NOW = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** As before, or with the campaign. */
const tellCall = (column: string, value: string): string => `
  CREATE OR REPLACE FUNCTION tell_call() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO live_events (account_id, call_id, ${column}kind, data)
    VALUES (NEW.account_id, NEW.id, ${value}'status', json_build_object('call_id', NEW.id, 'type', NEW.type,
      'status', NEW.status, 'answered_by', NEW.answered_by, 'ended_by', NEW.ended_by,
      'ended_reason', NEW.ended_reason, 'created_at', ${NOW}));
    IF NEW.status IN ('completed', 'busy', 'no-answer', 'failed') THEN
      INSERT INTO live_events (account_id, call_id, ${column}kind, data)
      VALUES (NEW.account_id, NEW.id, ${value}'ended', json_build_object('call_id', NEW.id, 'status', NEW.status,
        'duration', NEW.duration, 'ended_by', NEW.ended_by, 'ended_reason', NEW.ended_reason,
        'total_cost', trim_scale(NEW.total_cost_micros / 1000000.0), 'created_at', ${NOW}));
    END IF;
    RETURN NULL;
  END $$;`;

/** The campaign of the events `status` and `ended`, for `GET /user/campaigns/{id}/events`. */
export class CampaignEvents20261122009510 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE live_events ADD COLUMN campaign_id int;
      CREATE INDEX live_events_campaign_seq ON live_events (campaign_id, seq)
        WHERE campaign_id IS NOT NULL AND seq IS NOT NULL;
      ${tellCall('campaign_id, ', 'NEW.campaign_id, ')}
      UPDATE live_events e SET campaign_id = c.campaign_id FROM calls c
       WHERE c.id = e.call_id AND c.campaign_id IS NOT NULL AND e.kind IN ('status', 'ended')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ${tellCall('', '')}
      ALTER TABLE live_events DROP COLUMN campaign_id`);
  }
}
