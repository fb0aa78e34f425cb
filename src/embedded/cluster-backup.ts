import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { BackupContent } from './backup-file.js';

/** Their files are of running processes, or are made at every start; the folders must exist. */
const WITHOUT_CONTENT = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*|current_logfiles(\.tmp)?)$/;
/** Segments of the write-ahead log, and what is known of earlier timelines. */
const SEGMENT = /^[0-9A-F]{24}$/;
const START_SEGMENT = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)/m;
const CHUNK_BYTES = 256 * 1024;

/**
 * The files of a private server while it runs, with the part of its log that makes them consistent when they are
 * opened (PostgreSQL, "Making a Base Backup Using the Low Level API"). They show the moment at which this ends.
 *
 * @param client of the administrator; nothing else may use it meanwhile
 */
export async function* readRunningCluster(client: pg.Client): AsyncGenerator<BackupContent> {
  const { rows: settings } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const dataPath = settings[0]?.data_directory ?? '';
  // Keeps the log from now on; it ends with the connection.
  const slot = `backup_${randomBytes(6).toString('hex')}`;
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  await client.query(`SELECT pg_backup_start('backup', true)`);
  yield* readFolder(dataPath, '');
  const { rows } = await client.query<{ label: string; last: string }>(
    `SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)`,
  );
  const { label = '', last = '' } = rows[0] ?? {};
  const first = START_SEGMENT.exec(label)?.[1] ?? '';
  yield contentOf('backup_label', Buffer.from(label));
  for (const name of (await readdir(join(dataPath, 'pg_wal'))).sort()) {
    const isNeeded = SEGMENT.test(name) && name >= first && name <= last;
    if (isNeeded || name.endsWith('.history')) yield* readFile(dataPath, `pg_wal/${name}`);
  }
}

async function* readFolder(dataPath: string, folder: string): AsyncGenerator<BackupContent> {
  const entries = await readdir(join(dataPath, folder), { withFileTypes: true }).catch(ifGone([]));
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.test(entry.name)) continue;
    if (entry.isDirectory()) {
      yield { path, size: null, content: nothing() };
      if (!WITHOUT_CONTENT.has(path)) yield* readFolder(dataPath, path);
    } else if (entry.isFile()) yield* readFile(dataPath, path);
    else throw new Error(`${join(dataPath, path)} is neither a file nor a folder: the backup would lack it.`);
  }
}

/** As long as it is when it is opened: what is added or cut meanwhile stands in the log. One that is gone is left out. */
async function* readFile(dataPath: string, path: string): AsyncGenerator<BackupContent> {
  const file = await open(join(dataPath, path), 'r').catch(ifGone(null));
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield {
      path,
      size,
      content: (async function* () {
        for (let at = 0; at < size;) {
          const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
          const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
          // The rest of a file that was cut is zeros.
          const length = bytesRead || buffer.length;
          at += length;
          yield buffer.subarray(0, length);
        }
      })(),
    };
  } finally {
    await file.close();
  }
}

const contentOf = (path: string, bytes: Buffer): BackupContent => ({
  path,
  size: bytes.length,
  content: (async function* () {
    yield bytes;
  })(),
});

async function* nothing(): AsyncGenerator<Buffer> {}

const ifGone =
  <T>(instead: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return instead;
    throw error;
  };
