import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PostgresBinaries,
  canEnter,
  canRun,
  findServerUser,
  isRoot,
  type ServerUser,
} from './postgres-binaries.js';
import { readPrivateFile } from './runtime-record.js';

/** Where the server's files lie, and as whom it runs. */
export interface PostgresHome {
  dataPath: string;
  binDir: string;
  /** Undefined: as ourselves. */
  user: ServerUser | undefined;
}

/** Folders that every user can reach, best first; the second is emptied at a restart of the machine. */
export const SHARED_DIRS: readonly string[] = ['/var/lib', tmpdir()];

const SHARED_NAME = 'voice-assistant-calling-service';

/**
 * Data below `dataDir`, binaries in the package. When we are root and the server's user cannot reach one of them,
 * as below a private home directory, that one lies in a shared folder, and `postgres-location.txt` in `dataDir` says where the data are.
 */
export function choosePostgresHome(
  dataDir: string,
  binaries: PostgresBinaries,
  sharedDirs: readonly string[],
): PostgresHome {
  const plain = join(dataDir, 'postgres');
  const binDir = join(binaries.nativeDir, 'bin');
  if (!isRoot()) return { dataPath: plain, binDir, user: undefined };

  const away = findAway(dataDir, sharedDirs);
  const user = findServerUser(away ?? plain);
  const dataPath = away ?? (canEnter(user, dataDir) ? plain : awayPath(openSharedDir(sharedDirs), dataDir));
  if (dataPath !== plain) writeNote(dataDir, dataPath);
  if (canRun(user, join(binDir, 'postgres'))) return { dataPath, binDir, user };
  return { dataPath, binDir: join(copyBinaries(binaries, openSharedDir(sharedDirs)), 'bin'), user };
}

/** Data that went away once stay there, also when the path has become reachable. */
function findAway(dataDir: string, sharedDirs: readonly string[]): string | undefined {
  return sharedDirs.map((dir) => awayPath(join(dir, SHARED_NAME), dataDir)).find((path) => existsSync(path));
}

function awayPath(sharedDir: string, dataDir: string): string {
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

/** @throws when no shared folder can be written, or somebody else got there first and could tamper with it */
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
  // A private home often comes with a private umask.
  execFileSync('chmod', ['-R', 'a+rX', half]);
  moveInPlace(half, copy);
  return copy;
}

function moveInPlace(half: string, place: string): void {
  try {
    renameSync(half, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(half, { recursive: true, force: true }); // Another process was faster, with the same files.
  }
}

/** Sets a cluster aside that nobody has the password of any more, because its `dataDir` was deleted. */
export function setAside(dataPath: string): string {
  const aside = `${dataPath}.old`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(dataPath, aside);
  return aside;
}
