import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { EmbeddedServer } from './child-server.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { openServiceRole } from './service-role.js';

describe('the role of the service on a private server', () => {
  let base: string;
  let dataDir: string;
  let server: EmbeddedServer;

  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'service-role-'));
    chmodSync(base, 0o755);
    dataDir = join(base, 'data');
    server = await startEmbeddedPostgres({
      dataDir,
      log: () => undefined,
      sharedDirs: [join(base, 'shared')],
    });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  });

  async function query(url: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query({ text: sql, rowMode: 'array' })).rows;
    } finally {
      await client.end();
    }
  }
  const open = (): Promise<string> => openServiceRole(server.url, dataDir);

  it('creates what it needs, and has no rights on the server', async () => {
    const url = await open();
    await query(
      url,
      'CREATE TABLE own (id serial PRIMARY KEY); CREATE SCHEMA more; CREATE EXTENSION pg_trgm',
    );
    for (const refused of [
      `SELECT pg_read_file('/etc/passwd')`,
      `COPY own FROM PROGRAM 'true'`,
      'ALTER SYSTEM SET fsync = off',
      'CREATE ROLE another',
      `SET session_replication_role = replica`,
      'SELECT rolpassword FROM pg_authid',
    ]) {
      await expect(query(url, refused)).rejects.toThrow(/permission denied/);
    }
    expect(statSync(join(dataDir, 'postgres-service.password')).mode & 0o777).toBe(0o600);
  });

  it('owns what the administrator of an earlier version created', async () => {
    await query(
      server.url,
      `CREATE TABLE kept (id serial PRIMARY KEY, number int GENERATED ALWAYS AS IDENTITY);
       CREATE VIEW seen AS SELECT id FROM kept;
       CREATE SEQUENCE loose;
       CREATE FUNCTION one(int, text) RETURNS int LANGUAGE sql RETURN 1;
       INSERT INTO kept DEFAULT VALUES`,
    );
    const url = await open();
    expect(await query(url, 'INSERT INTO kept DEFAULT VALUES RETURNING id')).toEqual([[2]]);
    await query(
      url,
      `ALTER TABLE kept ADD added int; CREATE INDEX ON kept (added);
       CREATE OR REPLACE VIEW seen AS SELECT id, added FROM kept;
       DROP SEQUENCE loose; DROP FUNCTION one; DROP TABLE kept CASCADE`,
    );
  });

  it('is opened by several processes at once, and again after its password file is lost', async () => {
    const [url] = await Promise.all([open(), open(), open()]);
    rmSync(join(dataDir, 'postgres-service.password'));
    const other = await open();
    expect(other).not.toBe(url);
    expect(await query(other, 'SELECT session_user')).toEqual([['calling']]);
  });
});
