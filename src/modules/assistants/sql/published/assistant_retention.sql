-- How long what assistants have said and done is kept, where they say so. Of deleted ones too: their calls stay.
CREATE OR REPLACE VIEW assistant_retention AS
  SELECT id AS assistant_id, account_id, retention FROM assistants;
