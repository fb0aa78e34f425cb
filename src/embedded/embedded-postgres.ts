import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ChildServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startOnFreePort,
} from './child-server.js';
import { locatePostgresBinaries, repairLinks } from './postgres-binaries.js';
import {
  clusterExists,
  initCluster,
  POSTGRES_DATABASE,
  POSTGRES_ENV,
  POSTGRES_USER,
  findPostmaster,
  isPostmasterReady,
  removeStalePidFile,
} from './postgres-cluster.js';
import { choosePostgresHome, setAside, SHARED_DIRS, type PostgresHome } from './postgres-home.js';
import { readOrCreateSecret, readPrivateFile, RuntimeRecord, type RunningServer } from './runtime-record.js';
import { ServerKeeper } from './server-keeper.js';
import { stopProcess, type StopStep } from './processes.js';

/** Fast shutdown ends sessions and writes a checkpoint; immediate leaves the work to the next start's recovery. */
const STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

interface EmbeddedPostgresOptions extends EmbeddedServerOptions {
  /** Where data and binaries go that the server's user could not reach otherwise. */
  sharedDirs?: readonly string[];
}

/**
 * A private Postgres with its data in `dataDir`, kept between runs and safe against kill -9 (fsync is on). It listens
 * on 127.0.0.1 only, at a port of its own for each run. A server that a killed process left running is stopped first,
 * one that ends by itself is started again.
 *
 * @throws when the binaries are missing, another living process runs this database, or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedServer> {
  const { log, sharedDirs = SHARED_DIRS } = options;
  mkdirSync(options.dataDir, { recursive: true });
  // One name for one directory: a running server is recognised by the path on its command line.
  const dataDir = realpathSync(options.dataDir);
  const binaries = locatePostgresBinaries();
  repairLinks(binaries.nativeDir);

  const record = new RuntimeRecord(dataDir, 'postgres');
  await record.reclaim(STOP_STEPS, log);
  const home = choosePostgresHome(dataDir, binaries, sharedDirs);
  await stopLeftover(home.dataPath, log);
  const password = await openCluster(dataDir, home, log);
  const onGivenUp = options.onGivenUp ?? log;
  return startOnFreePort((port) => keepServer({ dataDir, home, password, port, record, log, onGivenUp }));
}

/** The server that a living process runs on this directory; null when there is none. */
export function findRunningPostgres(dataDir: string): RunningServer | null {
  return new RuntimeRecord(dataDir, 'postgres').findRunning();
}

/** The record may be lost or too young; the server's own pid file is what decides about its data. */
async function stopLeftover(dataPath: string, log: (line: string) => void): Promise<void> {
  const postmaster = findPostmaster(dataPath);
  if (postmaster) {
    log(`stopping a postgres server that still runs on ${dataPath} (pid ${postmaster.pid})`);
    await stopProcess(postmaster, STOP_STEPS);
  }
  removeStalePidFile(dataPath);
}

async function openCluster(
  dataDir: string,
  home: PostgresHome,
  log: (line: string) => void,
): Promise<string> {
  const passwordFile = join(dataDir, 'postgres.password');
  if (clusterExists(home.dataPath) && readPrivateFile(passwordFile) === null) {
    if (dirname(home.dataPath) === dataDir) {
      throw new Error(
        `${passwordFile} is missing, and without it ${home.dataPath} cannot be opened. Restore it.`,
      );
    }
    log(`${dataDir} is new: the database of its predecessor was moved to ${setAside(home.dataPath)}`);
  }
  const password = readOrCreateSecret(passwordFile);
  if (!clusterExists(home.dataPath)) {
    log(`creating a database in ${home.dataPath}`);
    await initCluster(home, password);
  }
  return password;
}

interface ServerStart extends Required<EmbeddedServerOptions> {
  home: PostgresHome;
  password: string;
  port: number;
  record: RuntimeRecord;
}

async function keepServer(parts: ServerStart): Promise<EmbeddedServer> {
  const { dataDir, password, port, record, log, onGivenUp } = parts;
  const url = `postgresql://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${POSTGRES_DATABASE}`;
  const logFile = join(dataDir, 'postgres.log');
  const start = (appendLog: boolean) => startServer(url, { logFile, appendLog }, parts);
  const keeper = await ServerKeeper.start({ name: 'postgres', logFile, start, log, onGivenUp });
  return {
    url,
    stop: async () => {
      await keeper.stop();
      record.remove();
    },
  };
}

async function startServer(
  url: string,
  log: { logFile: string; appendLog: boolean },
  { home, port, record }: ServerStart,
): Promise<ChildServer> {
  removeStalePidFile(home.dataPath);
  const server = await ChildServer.spawn({
    file: join(home.binDir, 'postgres'),
    args: ['-D', home.dataPath, ...settings(port)],
    cwd: home.dataPath,
    env: POSTGRES_ENV,
    user: home.user,
    ...log,
    stopSteps: STOP_STEPS,
  });
  record.write(url, server.pid, false);
  await server.whenReady(() => isPostmasterReady(home.dataPath, server.pid));
  record.write(url, server.pid, true);
  return server;
}

function settings(port: number): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Errors quote the values of statements: phone numbers and transcripts have no place in a log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
