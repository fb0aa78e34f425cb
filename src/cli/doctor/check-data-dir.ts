import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../explain-error.js';
import { fail, ok, warn, type Verdict } from './finding.js';

const MIB = 2 ** 20;
const LITTLE_MIB = 1024;
const TOO_LITTLE_MIB = 100;

export async function checkDataDir(dataDir: string): Promise<Verdict> {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return fail(
      `${dataDir} cannot be written (${codeOf(error)})`,
      'give its owner the right to write, or set DATA_DIR',
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const what = `${dataDir} can be written, ${freeMib} MiB free`;
  if (freeMib < TOO_LITTLE_MIB) return fail(what, 'make room: a full disk stops the database');
  return freeMib < LITTLE_MIB ? warn(what, 'make room soon') : ok(what);
}
