import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#src/embedded/free-port.js';
import { CommandServer } from './command-server.ts';
import { databaseUrl } from './database.ts';
import { SANDBOX_ACCOUNT_SID } from '../../tooling/sandbox/defaults.ts';
import { startServer, startService, type ServiceProcess } from '../../tooling/harness/server-process.ts';

declare global {
  var testService: ServiceProcess | undefined;
  var testSandbox: ServiceProcess | undefined;
  var commandServer: CommandServer | undefined;
}

/**
 * One service for all specs, with its own Postgres and Redis; every spec has accounts of its own. Its sandbox is a
 * process of its own, because specs send the carrier's callbacks and so need its secret. `E2E_BASE_URL` and
 * `E2E_DATABASE_URL` point the specs at a running service instead.
 */
export default async function setUp(): Promise<void> {
  globalThis.commandServer = await CommandServer.open();
  process.env.E2E_COMMANDS_URL = globalThis.commandServer.url;
  if (process.env.E2E_BASE_URL) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-test-'));
  // As root, Postgres runs as another user, who needs access.
  chmodSync(dataDir, 0o755);
  const authToken = randomBytes(16).toString('hex');
  const credentials = {
    TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: authToken,
    LLM_API_KEY: authToken,
  };
  const port = String(await freePort());
  const sandbox = await startServer(['dist/tooling/sandbox/main.js'], {
    env: {
      ...credentials,
      DATA_DIR: dataDir,
      SANDBOX_SPEED: '80',
      // As the service tells the carrier for numbers of accounts.
      SANDBOX_VOICE_URL: `http://127.0.0.1:${port}/telephony/incoming#rc=5&rp=all`,
      SANDBOX_STATUS_URL: `http://127.0.0.1:${port}/telephony/status`,
    },
    portName: 'SANDBOX_PORT',
    ready: /\n/,
  });
  globalThis.testSandbox = sandbox;
  globalThis.testService = await startService({
    ...credentials,
    PORT: port,
    DATA_DIR: dataDir,
    TWILIO_API_URL: sandbox.url,
    LLM_BASE_URL: `${sandbox.url}/v1`,
    // The sandbox speaks in tones.
    VOICE_DETECTION: 'energy',
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
  process.env.E2E_SANDBOX_URL = sandbox.url;
  process.env.E2E_CARRIER = `${SANDBOX_ACCOUNT_SID}:${authToken}`;
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
