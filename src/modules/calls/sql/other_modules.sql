-- What other modules keep of calls; they publish the functions.
CREATE OR REPLACE TRIGGER calls_attempt AFTER UPDATE OF carrier_sid, ended_at ON calls FOR EACH ROW
  WHEN (NEW.type = 'outbound' AND ((OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
        OR (OLD.carrier_sid IS NULL AND NEW.carrier_sid IS NOT NULL)))
  EXECUTE FUNCTION follow_call();

CREATE OR REPLACE TRIGGER calls_mask_attempt AFTER UPDATE OF number_masked ON calls FOR EACH ROW
  WHEN (NEW.number_masked AND NOT OLD.number_masked) EXECUTE FUNCTION mask_attempt();

CREATE OR REPLACE TRIGGER calls_recording_insert AFTER INSERT ON calls FOR EACH ROW
  WHEN (NEW.recording_url IS NOT NULL) EXECUTE FUNCTION follow_recording();
CREATE OR REPLACE TRIGGER calls_recording_update AFTER UPDATE OF recording_url, deleted_at ON calls FOR EACH ROW
  WHEN (NEW.recording_url IS NOT NULL AND (NEW.recording_url IS DISTINCT FROM OLD.recording_url
        OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at))
  EXECUTE FUNCTION follow_recording();
CREATE OR REPLACE TRIGGER calls_recording_removed AFTER UPDATE OF recording_url ON calls FOR EACH ROW
  WHEN (OLD.recording_url IS NOT NULL AND NEW.recording_url IS NULL) EXECUTE FUNCTION follow_recording();
CREATE OR REPLACE TRIGGER calls_recording_delete AFTER DELETE ON calls FOR EACH ROW
  WHEN (OLD.recording_url IS NOT NULL) EXECUTE FUNCTION follow_recording();

CREATE OR REPLACE TRIGGER calls_hold_insert AFTER INSERT ON calls REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_new_holds();
CREATE OR REPLACE TRIGGER calls_hold_update AFTER UPDATE OF hold_micros, account_id ON calls FOR EACH ROW
  WHEN (OLD.hold_micros <> NEW.hold_micros OR OLD.account_id <> NEW.account_id) EXECUTE FUNCTION sum_holds();
CREATE OR REPLACE TRIGGER calls_hold_delete AFTER DELETE ON calls FOR EACH ROW
  WHEN (OLD.hold_micros <> 0) EXECUTE FUNCTION sum_holds();
