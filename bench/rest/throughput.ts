import { isDeepStrictEqual } from 'node:util';
import { Pool } from 'undici';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import type { Child } from '../support/child.js';
import { atLeast, noted, type Finding } from '../support/findings.js';
import { inTurns } from '../support/in-turns.js';
import { load, shoot, type Shot } from '../support/load.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { CpuMeter } from '../../faults/support/cpu-meter.js';
import { assistantBody, leadBody, toolBody } from './bodies.js';
import { fillCalls } from './fill-calls.js';
import { withSides, type Sides } from './sides.js';

const TOOLS = 20;
const ASSISTANTS = 25;
const TOOLS_OF_EACH = 3;
const CALLS = 10_000;
const READ_SHARE = 0.8;
const WRITE_SHARE = 0.7;

interface Case {
  what: string;
  share: number;
  next: () => Shot;
}

/** Requests per second of frequent routes. */
export const throughput = (database: BenchDatabase): Promise<Finding[]> =>
  withSides(database, async (sides) => {
    const account = await anAccount(database.pool, 'throughput');
    const findings: Finding[] = [];
    for (const { what, share, next } of await cases(database, sides, account)) {
      say(`rest: ${what}`);
      if (next().method === 'GET') await requireSameAnswer(sides, next());
      const cpu = { peer: new CpuPerRequest(sides.peer), own: new CpuPerRequest(sides.own) };
      const taken = await inTurns({
        peer: () => cpu.peer.measure((counted) => load(sides.peer.url, counted), next),
        own: () => cpu.own.measure((counted) => load(sides.own.url, counted), next),
      });
      findings.push(
        atLeast(what, 'req/s', share, taken),
        noted(`${what}: by CPU time of the process`, 'req/s', cpu.own.perSecond(), cpu.peer.perSecond()),
      );
    }
    return findings;
  });

/** Requests for each second of CPU time that the process used: other work on the machine does not change it. */
class CpuPerRequest {
  private readonly meter: CpuMeter;
  private readonly rounds: number[] = [];

  constructor({ pid }: Child) {
    this.meter = new CpuMeter(pid);
  }

  /** @returns what `work` returns */
  async measure<T>(work: (counted: () => Shot) => Promise<T>, next: () => Shot): Promise<T> {
    let sent = 0;
    const before = this.meter.read();
    const result = await work(() => {
      sent++;
      return next();
    });
    this.rounds.push((sent * 1000) / (this.meter.read() - before));
    return result;
  }

  /** Median of the rounds without the first, which warms up. */
  perSecond(): number {
    return median(this.rounds.slice(1));
  }
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
  await fillCalls(pool, account.id, CALLS);
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

/** @throws when service and peer do not give the same answer */
async function requireSameAnswer({ own, peer }: Sides, shot: Shot): Promise<void> {
  const [ours, theirs] = await Promise.all([own, peer].map(({ url }) => answerOf(url, shot)));
  // The order of the fields may differ.
  if (isDeepStrictEqual(ours, theirs)) return;
  const [text, other] = [ours, theirs].map((answer) => JSON.stringify(answer));
  throw new Error(`${shot.path}: the answers differ\nown:  ${text}\npeer: ${other}`);
}

async function answerOf(url: string, shot: Shot): Promise<unknown> {
  const pool = new Pool(url);
  try {
    return JSON.parse((await shoot(pool, shot)).replaceAll(url, ''));
  } finally {
    await pool.close();
  }
}
