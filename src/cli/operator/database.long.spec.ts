import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '#src/embedded/data-dir-lock.js';
import { findRunningPostgres, startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { openServiceRole } from '#src/embedded/service-role.js';
import { withDatabase, withDatabaseClient, requireTables } from './database.js';

describe('withDatabase', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'operator-'));
    // Postgres runs as another user when the test runs as root.
    chmodSync(dataDir, 0o755);
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('uses the database of the settings', async () => {
    const databaseUrl = 'postgres://127.0.0.1/calls';
    expect(await withDatabase({ databaseUrl, dataDir }, async (database) => database)).toEqual({
      url: databaseUrl,
      administratorUrl: null,
      isOwn: false,
    });
  });

  it('starts the private database for one command after another, and stops it', async () => {
    const settings = { databaseUrl: null, dataDir };
    const work = () =>
      withDatabase(settings, async ({ url, isOwn }) => {
        await expect(requireTables(url)).rejects.toThrow('npm run cli -- migrate');
        return isOwn;
      });
    expect(await Promise.all([work(), work()])).toEqual([true, true]);
    expect(findRunningPostgres(dataDir)).toBeNull();
  });

  it('uses the private database of a running service and leaves it running', async () => {
    const lock = lockDataDir(dataDir);
    const service = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      // A service of a version without the role.
      expect((await withDatabase({ databaseUrl: null, dataDir }, async (database) => database)).url).toBe(
        service.url,
      );
      const url = await openServiceRole(service.url, dataDir);
      const seen = await withDatabase({ databaseUrl: null, dataDir }, async (database) => database);
      expect(seen).toEqual({ url, administratorUrl: service.url, isOwn: false });
      await withDatabaseClient(seen.url, async (client) => {
        const { rows } = await client.query('SELECT session_user AS name, current_setting($1) AS super', [
          'is_superuser',
        ]);
        expect(rows).toEqual([{ name: 'calling', super: 'off' }]);
      });
    } finally {
      await service.stop();
      lock.release();
    }
  });
});
