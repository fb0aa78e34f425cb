import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CommandServer } from './command-server.ts';
import { databaseUrl } from './database.ts';
import { startService, type ServiceProcess } from '../../tooling/harness/server-process.ts';

declare global {
  var testService: ServiceProcess | undefined;
  var commandServer: CommandServer | undefined;
}

/**
 * One service for all specs, started as the README says, with its own Postgres and Redis; every spec has
 * accounts of its own. `E2E_BASE_URL` and `E2E_DATABASE_URL` point the specs at a running service instead.
 */
export default async function setUp(): Promise<void> {
  globalThis.commandServer = await CommandServer.open();
  process.env.E2E_COMMANDS_URL = globalThis.commandServer.url;
  if (process.env.E2E_BASE_URL) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-test-'));
  // As root, Postgres runs as another user, who needs access.
  chmodSync(dataDir, 0o755);
  globalThis.testService = await startService({
    DATA_DIR: dataDir,
    SANDBOX_SPEED: '80',
    DUE_ROWS_MS: '300',
    OPERATOR_TOKEN: 'operator-of-all-the-tests',
    // All tests have one address.
    PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
  });
  const { exited, output, url } = globalThis.testService;
  // Its database ends with it: without its last words, all that tests say is that they cannot connect.
  void exited.then((code) => {
    if (globalThis.testService)
      process.stderr.write(`the service ended with ${code}:\n${output().slice(-4_000)}\n`);
  });
  process.env.E2E_BASE_URL = url;
  process.env.E2E_DATA_DIR = dataDir;
  await stopWaitingForDisk();
}

/** Nothing of the tests outlives the machine, and one disk is slower than another. */
async function stopWaitingForDisk(): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
