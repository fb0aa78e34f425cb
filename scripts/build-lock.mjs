import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 150;
/** Maximum time between creating the directory and writing the process id into it. */
const WITHOUT_OWNER_MS = 5_000;

/**
 * Waits for the lock, a directory at `path`.
 *
 * @returns {Promise<() => void>} releases it
 */
export async function acquireLock(path, onWait) {
  while (!tryAcquire(path)) {
    if (isStale(path)) removeStale(path);
    else {
      onWait();
      onWait = () => undefined;
      await sleep(POLL_MS);
    }
  }
  const release = () => {
    process.off('exit', release);
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', release);
  return release;
}

function tryAcquire(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(path, 'pid'), String(process.pid));
  return true;
}

function isStale(path) {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
    if (pid > 0) return pid === process.pid || !isAlive(pid);
  } catch {
    // Without a process id the age of the directory decides.
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > WITHOUT_OWNER_MS;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renaming is atomic: one process wins. If the renamed lock is a new one, it is restored. */
function removeStale(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (!isStale(aside)) renameSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}
