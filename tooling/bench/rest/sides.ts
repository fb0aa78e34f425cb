import { startServer, type ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

/** URLs of the service and the peer, each in a new process on the same database. */
export interface Sides {
  own: ServiceProcess;
  peer: ServiceProcess;
}

export async function withSides<T>(
  database: BenchDatabase,
  measure: (sides: Sides) => Promise<T>,
): Promise<T> {
  const own = await startService(database);
  try {
    const peer = await startServer(['dist/tooling/bench/peer/main.js'], {
      env: { DATABASE_URL: database.url },
      echo: true,
    });
    try {
      return await measure({ own, peer });
    } finally {
      await peer.stop();
    }
  } finally {
    await own.stop();
  }
}
