import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import {
  checkBackupFile,
  readBackupFile,
  writeBackupFile,
  type BackupContent,
  type BackupManifest,
} from './backup-file.js';
import type { EmbeddedServer } from './child-server.js';
import { readRunningCluster } from './cluster-backup.js';
import { restoreCluster } from './cluster-restore.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

const MANIFEST: BackupManifest = {
  version: '1.2.3',
  createdAt: '2026-11-28T12:00:00.000Z',
  migrations: ['First'],
  postgres: '18.4.0',
  platform: 'linux-x64',
};

function isOpenAs(fd: string, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    // The one that the folder was read with.
    return false;
  }
}

describe('a backup of a private database', () => {
  let base: string;
  let file: string;
  let server: EmbeddedServer | undefined;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'cluster-restore-'));
    chmodSync(base, 0o755);
    file = join(base, 'one.backup');
  });
  afterEach(async () => {
    await stop();
    rmSync(base, { recursive: true, force: true });
  });

  const options = (dataDir: string) => ({
    dataDir: join(base, dataDir),
    log: () => undefined,
    sharedDirs: [join(base, 'shared')],
  });
  const start = async (dataDir: string): Promise<void> => {
    server = await startEmbeddedPostgres(options(dataDir));
  };
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  const restore = (dataDir: string, statements: string[] = []): Promise<string | null> =>
    restoreCluster({ ...options(dataDir), file, statements });

  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    return work(client).finally(() => client.end());
  }
  const query = (sql: string): Promise<unknown[]> =>
    withClient(async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows);
  const backUp = (): Promise<void> =>
    withClient((client) => writeBackupFile(file, MANIFEST, readRunningCluster(client)));

  /** Rows that are written while the backup is made, as fast as they can be. */
  async function whileWriting(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const writing = withClient(async (client) => {
      while (!isOver) await client.query('INSERT INTO kept (n) SELECT max(n) + 1 FROM kept');
    });
    await work().finally(() => (isOver = true));
    await writing;
  }

  it('is restored as it was at its end, after changes during it, in any data directory', async () => {
    await start('first');
    await query('CREATE TABLE kept (n int PRIMARY KEY, text text)');
    await query('INSERT INTO kept SELECT n, repeat(md5(n::text), 20) FROM generate_series(1, 20000) n');
    await whileWriting(backUp);
    await query('DELETE FROM kept');
    await stop();
    expect(await checkBackupFile(file)).toEqual(MANIFEST);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await restore('second', ['CREATE TABLE prepared (n int)', 'INSERT INTO prepared VALUES (7)']);
    await start('second');
    const [[rows, last]] = (await query('SELECT count(*)::int, max(n) FROM kept')) as [[number, number]];
    expect(rows).toBe(last);
    expect(rows).toBeGreaterThanOrEqual(20_000);
    expect(await query('SELECT n FROM prepared')).toEqual([[7]]);
    await stop();

    const replaced = await restore('first');
    expect(existsSync(join(replaced ?? '', 'PG_VERSION'))).toBe(true);
    await start('first');
    expect(await query('SELECT count(*)::int FROM kept')).toEqual([[rows]]);
  });

  it('leaves the data as they are when a statement fails, and when it was ended before they were replaced', async () => {
    await start('first');
    await query('CREATE TABLE kept AS SELECT 1 AS n');
    await backUp();
    await query('UPDATE kept SET n = 2');
    await stop();
    await expect(restore('first', ['SELECT 1 / 0'])).rejects.toThrow('division by zero');
    mkdirSync(join(base, 'first', 'postgres.restoring'), { recursive: true });
    await start('first');
    expect(await query('SELECT n FROM kept')).toEqual([[2]]);
  });

  it('is put into its place by the next start when it was ended between the two renamings', async () => {
    await start('first');
    await query('CREATE TABLE kept AS SELECT 1 AS n');
    await backUp();
    await query('UPDATE kept SET n = 2');
    const [[place]] = (await query('SHOW data_directory')) as [[string]];
    await stop();
    const replaced = (await restore('first')) ?? '';
    renameSync(place, `${place}.restored`);
    expect(readdirSync(replaced)).toContain('PG_VERSION');
    await start('first');
    expect(await query('SELECT n FROM kept')).toEqual([[1]]);
  });

  it('leaves nothing behind when the file ends too early in spite of its checksum', async () => {
    await start('first');
    await backUp();
    await stop();
    const bytes = readFileSync(file);
    const half = bytes.subarray(0, bytes.length >> 1);
    writeFileSync(file, Buffer.concat([half, createHash('sha256').update(half).digest()]));
    await expect(restore('first')).rejects.toThrow(`${file} cannot be unpacked: unexpected end of file`);
    const left = readdirSync(base, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => /restor|replaced/.test(path))).toEqual([]);
  });

  it('tells that the file cannot be read any further', async () => {
    const content = randomBytes(8 * 1024 * 1024);
    const entry = { path: 'PG_VERSION', size: content.length, content: Readable.from([content]) };
    await writeBackupFile(file, MANIFEST, Readable.from([entry]));
    const { value } = await readBackupFile(file).next();
    const opened = readdirSync('/proc/self/fd').find((fd) => isOpenAs(fd, file));
    closeSync(Number(opened));
    await expect(buffer((value as BackupContent).content)).rejects.toThrow(
      `${file} cannot be unpacked: EBADF`,
    );
  });

  it('is refused when a byte is missing or another one, and is not written over a file', async () => {
    await start('first');
    await backUp();
    await expect(backUp()).rejects.toThrow('exists');
    expect(readdirSync(base).filter((name) => name.endsWith('.partial'))).toEqual([]);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, -1));
    await expect(checkBackupFile(file)).rejects.toThrow('damaged');
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(checkBackupFile(file)).rejects.toThrow('damaged');
    writeFileSync(file, '');
    await expect(checkBackupFile(file)).rejects.toThrow('no backup');
  });
});
