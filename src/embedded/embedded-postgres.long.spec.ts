import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { EmbeddedServer } from './child-server.js';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { isRoot } from './postgres-home.js';

describe('embedded Postgres', () => {
  let base: string;
  let dataDir: string;
  let sharedDir: string;
  let lines: string[];
  let server: EmbeddedServer | undefined;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    chmodSync(base, 0o755);
    dataDir = join(base, 'data');
    sharedDir = join(base, 'shared');
    lines = [];
  });

  afterEach(async () => {
    await server?.stop();
    server = undefined;
    rmSync(base, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedServer> {
    server = await startEmbeddedPostgres({
      dataDir,
      log: (line) => lines.push(line),
      sharedDirs: [sharedDir],
    });
    return server;
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }

  async function query(sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    try {
      return (await client.query({ text: sql, rowMode: 'array' })).rows;
    } finally {
      await client.end();
    }
  }

  it('keeps its data from one run to the next', async () => {
    await start();
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    await stop();
    await start();
    expect(await query('SELECT answer FROM kept')).toEqual([[42]]);
  });

  it('is durable, uses UTF-8 and UTC, and keeps its secrets', async () => {
    const { url } = await start();
    expect(await query('SHOW fsync')).toEqual([['on']]);
    expect(await query('SHOW server_encoding')).toEqual([['UTF8']]);
    expect(await query('SHOW timezone')).toEqual([['UTC']]);
    expect(await query("SELECT upper('ä')")).toEqual([['Ä']]);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(new pg.Client({ connectionString: wrong.href }).connect()).rejects.toThrow('password');
    for (const name of ['postgres.json', 'postgres.password', 'postgres.log']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    await expect(query("SELECT 'call +15550001234'::int")).rejects.toThrow('invalid input');
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('15550001234');
  });

  it('is found by other commands while it runs, and only then; a second one is refused', async () => {
    expect(findRunningPostgres(dataDir)).toBeNull();
    const { url } = await start();
    expect(findRunningPostgres(dataDir)).toEqual({ url, pid: expect.any(Number) });
    await expect(startEmbeddedPostgres({ dataDir, log: () => undefined })).rejects.toThrow(
      `postgres already runs for process ${process.pid}`,
    );
    expect(await query('SELECT 1')).toEqual([[1]]);
    await stop();
    expect(findRunningPostgres(dataDir)).toBeNull();
  });

  it('starts although the pid file of a crash names an unrelated process', async () => {
    await start();
    const { dataPath } = locate();
    await stop();
    writeFileSync(join(dataPath, 'postmaster.pid'), `${process.pid}\n${dataPath}\n`);
    await start();
    expect(await query('SELECT 1')).toEqual([[1]]);
  });

  it('initializes again after an interrupted first start', async () => {
    mkdirSync(join(dataDir, 'postgres.new'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new', 'half'), '');
    writeFileSync(join(dataDir, 'postgres.pwfile'), 'old');
    await start();
    expect(await query('SELECT 1')).toEqual([[1]]);
    expect(existsSync(join(dataDir, 'postgres.pwfile'))).toBe(false);
  });

  it('reports what is missing when the password file is gone, instead of hiding the data', async () => {
    await start();
    await stop();
    rmSync(join(dataDir, 'postgres.password'));
    await expect(start()).rejects.toThrow('postgres.password is missing');
  });

  it('reports the reason when the server does not start', async () => {
    await start();
    const { dataPath } = locate();
    await stop();
    writeFileSync(join(dataPath, 'PG_VERSION'), '9.6\n');
    await expect(start()).rejects.toThrow('incompatible with server');
  });

  describe('below a private directory', () => {
    beforeEach(() => {
      const home = join(base, 'private');
      mkdirSync(home, { mode: 0o700 });
      dataDir = join(home, 'data');
    });

    it('keeps its data where its user can reach them', async () => {
      await start();
      await query('CREATE TABLE kept AS SELECT 42 AS answer');
      await stop();
      await start();
      expect(await query('SELECT answer FROM kept')).toEqual([[42]]);
      // Only root needs another user for Postgres, and with it another place.
      expect(locate().dataPath.startsWith(sharedDir)).toBe(isRoot());
      expect(existsSync(join(dataDir, 'postgres'))).toBe(!isRoot());
    });

    it('initializes again when the data directory is deleted, and keeps the former data beside it', async () => {
      await start();
      const { dataPath } = locate();
      await query('CREATE TABLE gone AS SELECT 42 AS answer');
      await stop();
      rmSync(dataDir, { recursive: true });
      await start();
      expect(await query("SELECT to_regclass('gone')")).toEqual([[null]]);
      expect(existsSync(`${dataPath}.old`)).toBe(isRoot());
    });

    it('finds or names its data after the directory is moved', async () => {
      await start();
      const { dataPath } = locate();
      await query('CREATE TABLE kept AS SELECT 42 AS answer');
      await stop();
      dataDir = move(dataDir);
      if (isRoot()) {
        await expect(start()).rejects.toThrow(`its database lies in ${dataPath}`);
      } else {
        await start();
        expect(await query('SELECT answer FROM kept')).toEqual([[42]]);
      }
    });
  });

  function locate(): { dataPath: string } {
    const note = join(dataDir, 'postgres-location.txt');
    const dataPath = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
    return { dataPath };
  }
});

function move(dir: string): string {
  const target = `${dir}-moved`;
  renameSync(dir, target);
  return target;
}
