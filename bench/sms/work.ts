import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server that runs with `count-statements.js` has done since its start. */
export interface Work {
  /** When it was counted; ms since 1970. */
  at: number;
  /** Without BEGIN, COMMIT and ROLLBACK, which are `frames`. */
  statements: number;
  frames: number;
  /** CPU time of the process. */
  cpuMs: number;
}

/** What it has done by now. */
export async function readWork(file: string): Promise<Work> {
  for (const now = Date.now(); ; await sleep(20)) {
    const work = read(file);
    if (work && work.at > now) return work;
    if (Date.now() > now + 10_000) throw new Error('nothing is counted');
  }
}

function read(file: string): Work | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Work;
  } catch {
    return null;
  }
}
