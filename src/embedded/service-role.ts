import { join } from 'node:path';
import pg from 'pg';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { readOrCreateSecret, readPrivateFile } from './runtime-record.js';

/** The name that compose.production.yaml uses as well (docker/service-role.sh). */
export const SERVICE_ROLE = 'calling';

/**
 * Makes the role the owner of the database and of everything in it. Tables of an installation of an earlier version,
 * or of a command that ran as the administrator, have another owner. A sequence of a column follows its table.
 */
const OWN_EVERYTHING = `
  DO $$
  DECLARE
    change text;
  BEGIN
    IF to_regrole('${SERVICE_ROLE}') IS NULL THEN
      CREATE ROLE ${SERVICE_ROLE} LOGIN;
    END IF;
    FOR change IN
      SELECT format('ALTER DATABASE %I OWNER TO ${SERVICE_ROLE}', d.datname)
        FROM pg_database d
       WHERE d.datname = current_database() AND d.datdba <> '${SERVICE_ROLE}'::regrole
      UNION ALL
      SELECT format('ALTER TABLE %s OWNER TO ${SERVICE_ROLE}', c.oid::regclass)
        FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
         AND c.relowner <> '${SERVICE_ROLE}'::regrole
         AND NOT EXISTS (SELECT FROM pg_depend d
                          WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE_ROLE}', p.oid::regprocedure)
        FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '${SERVICE_ROLE}'::regrole
    LOOP
      EXECUTE change;
    END LOOP;
  END $$`;

const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres-service.password');

/**
 * The address for the service on a private server: a role that owns the database and has no rights on the server.
 * Made at the first start, and brought up to date at each.
 *
 * @param administratorUrl of the running server
 */
export async function openServiceRole(administratorUrl: string, dataDir: string): Promise<string> {
  const password = readOrCreateSecret(passwordFileOf(dataDir));
  const client = new pg.Client({ connectionString: administratorUrl });
  // A lost connection rejects the statement; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // One transaction. A service and a command may do this at the same time.
    await client.query(`
      SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.serviceRole});
      ${OWN_EVERYTHING};
      ALTER ROLE ${SERVICE_ROLE} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  return urlOf(administratorUrl, password);
}

/** The same on the server of a running service, which may be of a version without the role. */
export function findServiceRole(administratorUrl: string, dataDir: string): string {
  const password = readPrivateFile(passwordFileOf(dataDir));
  return password === null ? administratorUrl : urlOf(administratorUrl, password);
}

function urlOf(administratorUrl: string, password: string): string {
  const url = new URL(administratorUrl);
  url.username = SERVICE_ROLE;
  url.password = password;
  return url.href;
}
