import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CrashBench } from '../support/crash-bench.js';
import { until } from '../support/until.js';

/**
 * The process is killed exactly where the database would have been written next (a trigger holds the statement
 * until then), is started again, and must end with one dial, one charge and one webhook for each call.
 */
const POINTS: [title: string, table: string, when: string, condition: string][] = [
  ['the lead is claimed, nothing is committed', 'call_attempts', 'AFTER INSERT', 'true'],
  ['the carrier took the call, its answer is not stored', 'calls', 'BEFORE UPDATE OF carrier_sid', 'true'],
  ['a turn was heard, it is not stored', 'call_turns', 'BEFORE INSERT', 'true'],
  ['the call ended, the fact is not committed', 'domain_events', 'BEFORE INSERT', `NEW.kind = 'call.ended'`],
  [
    'the event was handed over, nobody wrote that down',
    'domain_events',
    'BEFORE DELETE',
    `OLD.kind = 'call.ended'`,
  ],
  ['the call is evaluated, not yet charged', 'ledger_entries', 'BEFORE INSERT', `NEW.kind = 'call'`],
  ['the call is charged, not yet final', 'domain_events', 'BEFORE INSERT', `NEW.kind = 'call.completed'`],
  ['the delivery is not written', 'webhook_deliveries', 'BEFORE INSERT', 'true'],
  ['the webhook was answered, nobody wrote that down', 'webhook_attempts', 'BEFORE INSERT', 'true'],
];

const hooks: { path: string; id: string; call: number }[] = [];
let receiver: Server;
let webhookUrl: string;

beforeAll(async () => {
  receiver = createServer((request, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: number };
      hooks.push({ path: request.url ?? '', id: String(request.headers['webhook-id']), call: id });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  webhookUrl = `http://127.0.0.1:${port}`;
});

afterAll(() => void receiver.close());

// Most of the time passes waiting for the leases of the dead process: several points at a time.
it.concurrent.each(POINTS)('%s', async (_title, ...point) => {
  const bench = await CrashBench.start(webhookUrl);
  try {
    await dieAt(bench, ...point);
  } finally {
    await bench.stop();
  }
});

async function dieAt(bench: CrashBench, table: string, when: string, condition: string): Promise<void> {
  const release = await bench.holdAt(table, when, condition);
  const lead = await bench.callOneLead();
  await bench.killWhenHeld();
  await release();
  await bench.restart();

  const calls = await until(() => bench.finishedCalls(lead));
  expect(calls.filter(({ status }) => status === 'completed')).toHaveLength(1);
  for (const call of calls) expect(await bench.charges(call.id)).toBe(call.status === 'completed' ? 1 : 0);
  // Every attempt that rang rang once; one that was lost before the carrier heard of it never rang.
  const rang = calls.filter(({ ended_reason }) => ended_reason !== 'not_placed');
  expect(await bench.dials(lead)).toBe(rang.length);
  const completed = calls.find(({ status }) => status === 'completed');
  const told = hooks.filter(({ path, call }) => path === bench.webhookPath && call === completed?.id);
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told.map(({ id }) => id)).size).toBe(1);
}
