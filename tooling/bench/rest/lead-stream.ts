import { Pool } from 'undici';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';
import { atMost, below, noted, type Finding } from '../support/findings.js';
import { shoot } from '../support/load.js';
import { positive, ROUNDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { assistantBody } from './bodies.js';
import { fillLeads } from './fill-leads.js';
import { LoopProbe, type Blocked } from './loop-probe.js';
import { ResidentMemory } from './memory.js';
import { withSides } from './sides.js';

const LEADS = positive('BENCH_LEADS', 50_000);
/** Streams are short, so more rounds than in other measurements. */
const STREAMS = Math.max(3, ROUNDS * 3);

interface Streamed {
  firstByteMs: number;
  totalMs: number;
  megabytes: number;
}

/** Streams many leads; the peer streams from a cursor. */
export const leadStream = (database: BenchDatabase): Promise<Finding[]> =>
  withSides(database, async ({ own, peer }) => {
    const account = await anAccount(database.pool, 'leads');
    await fillLeads(database.pool, account.id, await aCampaign(own.url, account), LEADS);
    say(`rest: GET leads (${LEADS})`);
    await settled(own.url, account);
    const memory = new ResidentMemory(own.pid);
    const idle = memory.reset();
    await Promise.all([stream(own.url, account), stream(peer.url, account)]);
    const ours: Streamed[] = [];
    const theirs: Streamed[] = [];
    const blocked: Blocked[] = [];
    for (let turn = 0; turn < STREAMS; turn++) {
      ours.push(await stream(own.url, account));
      theirs.push(await stream(peer.url, account));
      blocked.push(await blockedDuring(own, () => stream(own.url, account)));
    }
    const middle = (of: Streamed[], field: keyof Streamed): number => median(of.map((one) => one[field]));
    const what = `GET leads, ${LEADS.toLocaleString('en-US')}`;
    return [
      {
        ...below(`${what}: first byte`, 'ms', 10, middle(ours, 'firstByteMs')),
        peer: middle(theirs, 'firstByteMs'),
      },
      below(`${what}: loop blocked`, 'ms', 10, median(blocked.map(({ work }) => work))),
      noted(
        `${what}: loop blocked, with waits for a processor`,
        'ms',
        median(blocked.map(({ answer }) => answer)),
      ),
      below(`${what}: memory above idle`, 'MB', 64, memory.peak() - idle),
      atMost(`${what}: all of it`, 'ms', 1.1, {
        peer: middle(theirs, 'totalMs'),
        own: middle(ours, 'totalMs'),
      }),
      noted(`${what}: size`, 'MB', middle(ours, 'megabytes')),
    ];
  });

async function aCampaign(url: string, { headers }: BenchAccount): Promise<number> {
  const http = new Pool(url);
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await shoot(http, { method: 'POST', path, headers, body: JSON.stringify(body) });
    return (JSON.parse(answer) as { data: { id: number } }).data.id;
  };
  const assistant_id = await post('/api/user/assistant', assistantBody(0));
  const campaignId = await post('/api/user/campaigns', { name: 'Spring offer', assistant_id });
  await http.close();
  return campaignId;
}

/** Warm-up before memory is measured. */
async function settled(url: string, { headers }: BenchAccount): Promise<void> {
  const http = new Pool(url);
  for (let count = 0; count < 200; count++) {
    await shoot(http, { method: 'GET', path: '/api/user/leads?per_page=15', headers });
  }
  await http.close();
}

async function stream(url: string, { headers }: BenchAccount): Promise<Streamed> {
  const http = new Pool(url, { connections: 1 });
  // Opens the connection before the measurement.
  await shoot(http, { method: 'GET', path: '/health/ready', headers: {} });
  const started = performance.now();
  let [firstByteMs, bytes] = [0, 0];
  const { statusCode, body } = await http.request({ method: 'GET', path: '/api/user/leads', headers });
  if (statusCode !== 200) throw new Error(`GET leads: ${statusCode} ${await body.text()}`);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    firstByteMs ||= performance.now() - started;
    bytes += chunk.length;
  }
  const totalMs = performance.now() - started;
  await http.close();
  return { firstByteMs, totalMs, megabytes: bytes / 1024 / 1024 };
}

/** Longest block of the event loop during `work`. */
async function blockedDuring(server: ServiceProcess, work: () => Promise<unknown>): Promise<Blocked> {
  const probe = await LoopProbe.start(server);
  await work();
  return probe.stop();
}
