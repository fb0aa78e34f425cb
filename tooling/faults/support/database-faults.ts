import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from './chaos.js';

/** Longer than the service's `lock_timeout`. */
const HELD_MS = 6_000;
/** More than `max_connections` of the servers. */
const MOST_CONNECTIONS = 400;
const TOO_MANY = '53300';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Another session locks rows that most transactions need. */
export const LOCKS: Fault = {
  name: 'rows locked',
  happen: async ({ databases }) => {
    const holder = await connect(databases.postgresUrl);
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM accounts FOR UPDATE');
      await holder.query('SELECT FROM leads FOR UPDATE');
      await sleep(HELD_MS);
    } finally {
      // A restart of the database has released the locks.
      await holder.end().catch(() => undefined);
    }
  },
};

/** Other sessions take all free connections, and the connections that the service releases. */
export const CONNECTIONS: Fault = {
  name: 'connections exhausted',
  happen: async ({ databases }) => {
    const outage = { from: Date.now(), to: Infinity };
    databases.outages.push(outage);
    const taken: pg.Client[] = [];
    try {
      await takeAll(databases.postgresUrl, taken);
      const others = taken.map((client) => Reflect.get(client, 'processID') as unknown);
      await taken[0]?.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> ALL($1) AND pid % 2 = 0`,
        [others],
      );
      await takeAll(databases.postgresUrl, taken);
      await sleep(HELD_MS);
    } finally {
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
      outage.to = Date.now();
    }
  },
};

async function takeAll(url: string, taken: pg.Client[]): Promise<void> {
  while (taken.length < MOST_CONNECTIONS) {
    try {
      taken.push(await connect(url));
    } catch (error) {
      if ((error as { code?: string }).code === TOO_MANY) return;
      throw error;
    }
  }
}
