import type { Settings } from '#src/config/settings.js';
import { migrate } from '#src/database/migrate.js';
import {
  markRestored,
  readInstallation,
  RESTORE_REASONS,
  type RestoreState,
} from '#src/database/restore-state.js';
import { withDataSource } from './data-source.js';
import { withDatabase } from './database.js';

/**
 * Applies pending migrations, because the dump of an earlier version has no row to mark, and closes the gate.
 *
 * @param to null: when a service last used the database
 */
export async function markDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'catalogueFile'>,
  to: Date | null,
): Promise<RestoreState> {
  return withDatabase(settings, async ({ url }) => {
    await migrate(url, settings.catalogueFile);
    return withDataSource({ ...settings, databaseUrl: url }, async (db) => {
      await markRestored(db, RESTORE_REASONS.marked, to);
      const { restored } = await readInstallation(db);
      if (restored === null) throw new Error('The database has no row of this installation.');
      return restored;
    });
  });
}
