import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

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
