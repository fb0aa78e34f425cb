import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The folder and the labels of an assistant, and the view with which the groups' module counts their assistants. */
export class GroupedAssistants20261126000620 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants ADD COLUMN folder_id int REFERENCES assistant_groups ON DELETE SET NULL;
      CREATE INDEX assistants_folder ON assistants (folder_id) WHERE folder_id IS NOT NULL;

      CREATE TABLE assistant_labels (
        assistant_id int NOT NULL REFERENCES assistants ON DELETE CASCADE,
        label_id int NOT NULL REFERENCES assistant_groups ON DELETE CASCADE,
        PRIMARY KEY (assistant_id, label_id)
      );
      CREATE INDEX assistant_labels_label ON assistant_labels (label_id);

      -- Deleted assistants have neither.
      CREATE VIEW grouped_assistants AS
        SELECT folder_id AS group_id, id AS assistant_id FROM assistants WHERE folder_id IS NOT NULL
        UNION ALL
        SELECT label_id, assistant_id FROM assistant_labels;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW grouped_assistants;
      DROP TABLE assistant_labels;
      ALTER TABLE assistants DROP COLUMN folder_id;
    `);
  }
}
