import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty temporary directory; the caller deletes it. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-bench-'));
  // As root, Postgres runs as another user, who requires access; otherwise its data is in another directory.
  chmodSync(dataDir, 0o755);
  return dataDir;
}
