import { startChild, type Child } from '../support/child.js';
import type { BenchDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

/** URLs of the service and the peer, each in a new process on the same database. */
export interface Sides {
  own: Child;
  peer: Child;
}

export async function withSides<T>(
  database: BenchDatabase,
  measure: (sides: Sides) => Promise<T>,
): Promise<T> {
  const own = await startService(database);
  try {
    const peer = await startChild(['dist/tooling/bench/peer/main.js'], { DATABASE_URL: database.url });
    try {
      return await measure({ own, peer });
    } finally {
      await peer.stop();
    }
  } finally {
    await own.stop();
  }
}
