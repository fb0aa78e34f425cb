import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmbeddedServer, EmbeddedServerOptions } from './child-server.js';
import {
  clusterExists,
  finishRestore,
  initCluster,
  POSTGRES_DATABASE,
  POSTGRES_ENV,
  POSTGRES_USER,
  findPostmaster,
  isPostmasterReady,
  removeStalePidFile,
} from './postgres-cluster.js';
import {
  choosePostgresHome,
  locatePostgresBinaries,
  createLibraryLinks,
  moveClusterAside,
  SHARED_DIRS,
  type PostgresHome,
} from './postgres-home.js';
import { readOrCreateSecret, readPrivateFile, RuntimeRecord, type RunningServer } from './runtime-record.js';
import { superviseServer } from './server-supervisor.js';
import { stopProcess, type StopStep } from './processes.js';

/** Fast shutdown ends sessions and writes a checkpoint; immediate leaves the work to the next start's recovery. */
const STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

interface EmbeddedPostgresOptions extends EmbeddedServerOptions {
  /** Folders for data and binaries that the server's user cannot reach elsewhere. */
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
  const { dataDir, home, record } = await openHome(options);
  const password = await openCluster(dataDir, home, options.log);
  return superviseServer(
    {
      name: 'postgres',
      record,
      url: (port) => `postgresql://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${POSTGRES_DATABASE}`,
      command: (port) => {
        removeStalePidFile(home.dataPath);
        return {
          file: join(home.binDir, 'postgres'),
          args: ['-D', home.dataPath, ...configArgs(port)],
          cwd: home.dataPath,
          env: POSTGRES_ENV,
          user: home.user,
          stopSteps: STOP_STEPS,
        };
      },
      isReady: async (_port, pid) => isPostmasterReady(home.dataPath, pid),
    },
    { ...options, dataDir },
  );
}

/** Where the data of a directory are and who may open them, with nothing running on them. */
export async function openHome(
  options: Pick<EmbeddedPostgresOptions, 'dataDir' | 'log' | 'sharedDirs'>,
): Promise<{ dataDir: string; home: PostgresHome; record: RuntimeRecord }> {
  const { log, sharedDirs = SHARED_DIRS } = options;
  mkdirSync(options.dataDir, { recursive: true });
  // The real path: a running server is recognised by the path on its command line.
  const dataDir = realpathSync(options.dataDir);
  const binaries = locatePostgresBinaries();
  createLibraryLinks(binaries.nativeDir);

  const record = new RuntimeRecord(dataDir, 'postgres');
  await record.stopOrphan(STOP_STEPS, log);
  const home = choosePostgresHome(dataDir, binaries, sharedDirs);
  await stopLeftover(home.dataPath, log);
  return { dataDir, home, record };
}

/** The server that a living process runs on this directory; null when there is none. */
export function findRunningPostgres(dataDir: string): RunningServer | null {
  return new RuntimeRecord(dataDir, 'postgres').findRunning();
}

export const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres.password');

/** The record may be lost or outdated; the server's own pid file shows whether its data are in use. */
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
  finishRestore(home.dataPath);
  const passwordFile = passwordFileOf(dataDir);
  if (clusterExists(home.dataPath) && readPrivateFile(passwordFile) === null) {
    if (dirname(home.dataPath) === dataDir) {
      throw new Error(
        `${passwordFile} is missing, and without it ${home.dataPath} cannot be opened. Restore it.`,
      );
    }
    log(`${dataDir} is new: the database of its predecessor was moved to ${moveClusterAside(home.dataPath)}`);
  }
  const password = readOrCreateSecret(passwordFile);
  if (!clusterExists(home.dataPath)) {
    log(`creating a database in ${home.dataPath}`);
    await initCluster(home, password);
  }
  return password;
}

function configArgs(port: number): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Error messages quote values of statements, and phone numbers and transcripts must not be logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
