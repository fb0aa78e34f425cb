import type { DataSource, EntityManager } from 'typeorm';

type Database = Pick<DataSource | EntityManager, 'query'>;

export interface RestoreState {
  restoredAt: Date;
  /** Null: not known. */
  restoredTo: Date | null;
  because: string;
}

/** As long as this may be lost in the failover of a database without that being a restore. */
export const LOST_IN_FAILOVER_MS = 60_000;

/** How the restore was noticed. */
export const RESTORE_REASONS = {
  command: 'it was restored by the command restore',
  marked: 'an operator marked it as restored',
  moved: 'it is not where it was at the last start: a copy or a dump of it was restored',
  behind: 'it is older than what this service has seen of it',
} as const;

/** What the row says. */
export interface InstallationState {
  /** Null: the gate is open. */
  restored: RestoreState | null;
  /** When a service last used the database; null: none has. */
  seen: Date | null;
}

export async function readInstallation(db: Database): Promise<InstallationState> {
  const [row]: { restoredAt: Date | null; restoredTo: Date | null; because: string; seen: Date | null }[] =
    await db.query(
      `SELECT restored_at AS "restoredAt", restored_to AS "restoredTo", restored_because AS because, seen_at AS seen
         FROM installation`,
    );
  if (!row) return { restored: null, seen: null };
  const { restoredAt, restoredTo, because, seen } = row;
  return { restored: restoredAt && { restoredAt, restoredTo, because }, seen };
}

/**
 * Closes the gate.
 *
 * @param to the moment that the database shows; null: when a service last used it, or what was said before
 */
export async function markRestored(db: Database, because: string, to: Date | null): Promise<void> {
  await db.query(
    `UPDATE installation
        SET restored_at = coalesce(restored_at, now()), restored_to = coalesce($2, restored_to, seen_at),
            restored_because = coalesce(restored_because, $1)`,
    [because, to],
  );
}

/** `markRestored` after a restore by the command, for a server that takes no parameters: in one line. */
export const markStatement = (to: Date): string =>
  `UPDATE installation SET restored_at = now(), restored_to = '${to.toISOString()}', ` +
  `restored_because = '${RESTORE_REASONS.command}'`;

/** Opens the gate. */
export async function releaseRestored(db: Database): Promise<void> {
  await db.query(
    `UPDATE installation
        SET restored_at = NULL, restored_to = NULL, restored_because = NULL, seen_at = now(), database_identity = $1`,
    [await readIdentity(db)],
  );
}

/**
 * Closes the gate when the database is not where it was: a dump was restored, into another cluster or another database,
 * or over the same one. A database that no service has used yet, or an earlier version, is only noted.
 */
export async function noticeRestore(db: Database): Promise<void> {
  const identity = await readIdentity(db);
  const [known]: { identity: string | null }[] = await db.query(
    'SELECT database_identity AS identity FROM installation',
  );
  const isElsewhere = known?.identity ? !isSameDatabase(known.identity, identity) : false;
  if (isElsewhere) await markRestored(db, RESTORE_REASONS.moved, null);
  if (known?.identity !== identity)
    await db.query('UPDATE installation SET database_identity = $1, seen_at = coalesce(seen_at, now())', [
      identity,
    ]);
}

/**
 * `cluster/database/table`: the identifier that initdb gave the cluster, and the numbers that PostgreSQL gave the
 * database and this table when they were created. A dump keeps none of them; a failover and a restart keep all. `-` for
 * the cluster where the role may not read it.
 */
async function readIdentity(db: Database): Promise<string> {
  const [row]: { readable: boolean | null; place: string }[] = await db.query(
    `SELECT has_function_privilege(to_regprocedure('pg_catalog.pg_control_system()')::oid, 'EXECUTE') AS readable,
            (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || 'installation'::regclass::oid AS place`,
  );
  const [cluster]: { id: string }[] = row?.readable
    ? await db.query('SELECT system_identifier::text AS id FROM pg_control_system()')
    : [];
  return `${cluster?.id ?? '-'}/${row?.place ?? ''}`;
}

/** A cluster that could not be read then, or cannot now, is compared by the other numbers only. */
export function isSameDatabase(one: string, other: string): boolean {
  const [cluster, ...place] = one.split('/');
  const [otherCluster, ...otherPlace] = other.split('/');
  const isComparable = cluster !== '-' && otherCluster !== '-';
  return place.join('/') === otherPlace.join('/') && (!isComparable || cluster === otherCluster);
}

const NOTED_EVERY_SECONDS = 10;

/** Notes, at most every ten seconds, that a service uses the database. */
export async function noteUse(db: Database): Promise<void> {
  await db.query(
    `UPDATE installation SET seen_at = now()
      WHERE restored_at IS NULL AND (seen_at IS NULL OR seen_at < now() - interval '${NOTED_EVERY_SECONDS} seconds')`,
  );
}
