import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory, to be deleted afterwards with all that lies in it. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-bench-'));
  // Where root runs this, the database's user has to get in, or the data would lie elsewhere and stay behind.
  chmodSync(dataDir, 0o755);
  return dataDir;
}
