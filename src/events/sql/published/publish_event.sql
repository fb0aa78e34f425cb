-- For functions: as DomainEventsService.publish, the event exists exactly when the transaction commits.
CREATE OR REPLACE FUNCTION publish_event(kind text, payload jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO domain_events (kind, payload) VALUES (publish_event.kind, publish_event.payload);
  PERFORM pg_notify('domain_events', '');
END $$;
