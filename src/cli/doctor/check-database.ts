import type { Settings } from '#src/config/settings.js';
import { MIGRATIONS } from '#src/database/migrations/index.js';
import { messageOf } from '../explain-error.js';
import { counted } from '../output.js';
import { withDatabase } from '../operator/database.js';
import { DatabaseUnusable, onDatabase } from '../operator/reach-database.js';
import { fail, ok, warn, type Verdict } from './finding.js';

interface State {
  version: string;
  pending: number;
}

/** The private database is started for the look, as a start of the service would. */
export async function checkDatabase(settings: Pick<Settings, 'databaseUrl' | 'dataDir'>): Promise<Verdict> {
  const kind = settings.databaseUrl === null ? 'private ' : '';
  try {
    const { version, pending } = await withDatabase(settings, ({ url }) => look(url));
    const what = `${kind}PostgreSQL ${version} answers`;
    if (pending === 0) return ok(`${what}, no migration is pending`);
    const todo = 'the next start applies them, or now: npm run cli -- migrate';
    return warn(`${what}, ${counted(pending, 'migration')} pending`, todo);
  } catch (error) {
    if (error instanceof DatabaseUnusable) return fail(error.problem, error.advice);
    return fail(messageOf(error), 'remove the reason, or set DATABASE_URL to a database of your own');
  }
}

function look(url: string): Promise<State> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<{ version: string; found: boolean }>(
      `SELECT current_setting('server_version') AS version, to_regclass('migrations') IS NOT NULL AS found`,
    );
    const applied = rows[0]?.found
      ? await client.query<{ name: string }>('SELECT name FROM migrations')
      : null;
    const names = new Set(applied?.rows.map(({ name }) => name));
    return {
      version: rows[0]?.version ?? '',
      pending: MIGRATIONS.filter((migration) => !names.has(migration.name)).length,
    };
  });
}
