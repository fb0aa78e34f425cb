import { deepStrictEqual } from 'node:assert';
import { Pool } from 'undici';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import type { ServiceProcess } from '../../harness/server-process.js';
import { atLeast, noted, type Finding } from '../support/findings.js';
import { load, shoot, type Shot } from '../support/load.js';
import { ROUNDS, SECONDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { CpuMeter, CpuTreeMeter } from '../../faults/support/cpu-meter.js';
import { assistantBody, leadBody, toolBody } from './bodies.js';
import { fillCalls } from './fill-calls.js';
import { withSides, type Sides } from './sides.js';

const TOOLS = 20;
const ASSISTANTS = 25;
const TOOLS_OF_EACH = 3;
const CALLS = 10_000;
const READ_SHARE = 0.95;
const WRITE_SHARE = 0.9;
/** Many short pairs: other load on the machine affects both sides alike. */
const PAIRS = ROUNDS * 3;
const PAIR_SECONDS = SECONDS / 3;

interface Case {
  what: string;
  share: number;
  next: () => Shot;
}

interface Round {
  perSecond: number;
  /** CPU time of one request in milliseconds, for both sides. */
  process: number;
  database: number;
}

/** The cost of requests of frequent routes. */
export const throughput = (database: BenchDatabase): Promise<Finding[]> =>
  withSides(database, async (sides) => {
    const account = await anAccount(database.pool, 'throughput');
    const server = new CpuTreeMeter(await database.serverPid());
    const findings: Finding[] = [];
    for (const { what, share, next } of await cases(database, sides, account)) {
      say(`rest: ${what}`);
      if (next().method === 'GET') await requireSameResponse(sides, next());
      // Code is compiled during the first requests; short rounds measure the compilation.
      for (const { url } of [sides.peer, sides.own]) await load(url, next);
      const rounds = { peer: [] as Round[], own: [] as Round[] };
      for (let pair = 0; pair < PAIRS; pair++) {
        for (const side of ['peer', 'own'] as const)
          rounds[side].push(await measure(sides[side], server, next));
      }
      const both = (of: (round: Round) => number) => ({
        peer: median(rounds.peer.map(of)),
        own: median(rounds.own.map(of)),
      });
      const alone = both(({ process }) => 1000 / process);
      const speed = both(({ perSecond }) => perSecond);
      findings.push(
        atLeast(
          `${what}: for a second of CPU time`,
          'requests',
          share,
          both((round) => 1000 / (round.process + round.database)),
        ),
        noted(`${what}: for one of the process alone`, 'requests', alone.own, alone.peer),
        noted(what, 'req/s', speed.own, speed.peer),
      );
    }
    return findings;
  });

/**
 * CPU time is independent of other load on the machine. It includes the database's: a process with fewer statements
 * does more work itself.
 */
async function measure({ url, pid }: ServiceProcess, server: CpuTreeMeter, next: () => Shot): Promise<Round> {
  const meter = new CpuMeter(pid);
  const [process, database] = [meter.read(), server.read()];
  let sent = 0;
  const counted = (): Shot => {
    sent++;
    return next();
  };
  const perSecond = await load(url, counted, { seconds: PAIR_SECONDS });
  return {
    perSecond,
    process: (meter.read() - process) / sent,
    database: (server.read() - database) / sent,
  };
}

async function cases({ pool }: BenchDatabase, { own }: Sides, account: BenchAccount): Promise<Case[]> {
  const { headers } = account;
  const get = (path: string) => (): Shot => ({ method: 'GET', path, headers });
  const client = new Pool(own.url);
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await shoot(client, { method: 'POST', path, headers, body: JSON.stringify(body) });
    return (JSON.parse(answer) as { data: { id: number } }).data.id;
  };
  const toolIds: number[] = [];
  for (let number = 0; number < TOOLS; number++)
    toolIds.push(await post('/api/user/tools', toolBody(number)));
  let assistant_id = 0;
  for (let number = 0; number < ASSISTANTS; number++) {
    const tool_ids = Array.from({ length: TOOLS_OF_EACH }, (_, index) => toolIds[(number + index) % TOOLS]);
    assistant_id = await post('/api/user/assistant', { ...assistantBody(number), tool_ids });
  }
  const campaignId = await post('/api/user/campaigns', { name: 'Spring offer', assistant_id });
  await client.close();
  await fillCalls(pool, [account.id], CALLS);
  let sent = 0;
  const posts = (path: string, bodyOf: (number: number) => object) => (): Shot => ({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(bodyOf(sent++)),
  });
  return [
    { what: `GET tools (${TOOLS})`, share: READ_SHARE, next: get('/api/user/tools') },
    { what: 'GET calls, page 1 (15)', share: READ_SHARE, next: get('/api/user/calls') },
    { what: 'GET assistants, page 1 (10)', share: READ_SHARE, next: get('/api/user/assistants/get') },
    {
      what: 'POST lead with a contact',
      share: WRITE_SHARE,
      next: posts('/api/user/lead', (number) => leadBody(campaignId, number)),
    },
    {
      what: 'POST assistant, 30 fields',
      share: WRITE_SHARE,
      next: posts('/api/user/assistant', assistantBody),
    },
  ];
}

/** @throws when the responses of service and peer differ */
async function requireSameResponse({ own, peer }: Sides, shot: Shot): Promise<void> {
  const [ours, theirs] = await Promise.all([own, peer].map(({ url }) => responseOf(url, shot)));
  // The order of the fields may differ. The error of `deepStrictEqual` shows the difference, not both responses.
  deepStrictEqual(ours, theirs);
}

async function responseOf(url: string, shot: Shot): Promise<unknown> {
  const pool = new Pool(url);
  try {
    return JSON.parse((await shoot(pool, shot)).replaceAll(url, ''));
  } finally {
    await pool.close();
  }
}
