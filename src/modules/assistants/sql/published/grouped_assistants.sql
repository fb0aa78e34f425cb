-- The folder and the labels of assistants. Deleted assistants have neither.
CREATE OR REPLACE VIEW grouped_assistants AS
  SELECT folder_id AS group_id, id AS assistant_id FROM assistants WHERE folder_id IS NOT NULL
  UNION ALL
  SELECT label_id, assistant_id FROM assistant_labels;
