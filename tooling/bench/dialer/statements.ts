import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { addLeads, aDialCustomer, busy, startCampaigns } from './dial-customers.js';
import { until, withDialRig, type DialRig } from './dial-rig.js';
import { byPhase, countOf, printTexts, since, type Phase, type StatementCounts } from './statement-counts.js';

const UNANSWERED = positive('BENCH_UNANSWERED', 300);
const ANSWERED = positive('BENCH_ANSWERED', 150);
const SPEED = 20;
/** A customer who answers and hangs up after the greeting: calls are compared without their conversation. */
const ANSWERS = (index: number): string => `+1212555${String(1000 + index)}`;
/** The phases of the dialler; the others are the conversation, its record and the webhook. */
const DIALLER: readonly Phase[] = ['dial', 'placer', 'callbacks', 'outcome'];
const SETTLED = `SELECT count(*)::int AS n FROM calls WHERE account_id = $1 AND wrap_up_state IS DISTINCT FROM 'pending'
  AND ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM domain_events)
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending')`;

/** Statements for each call, by the part that sends them. */
export async function statements(database: BenchDatabase): Promise<Finding[]> {
  const receiver = createServer((request, answer) => {
    request.resume();
    request.once('end', () => answer.end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  try {
    return await withDialRig(database, SPEED, async (rig) => {
      const numbers = Array.from({ length: UNANSWERED }, (_, index) => busy(index));
      const answering = Array.from({ length: ANSWERED }, (_, index) => ANSWERS(index));
      const unanswered = await callsOf(rig, 'unanswered', numbers);
      const reported = await callsOf(rig, 'unanswered with a webhook', numbers, webhookUrl);
      const answered = await callsOf(rig, 'answered with a webhook', answering, webhookUrl);
      return [
        below('unanswered call, in all', 'statements', 12, countOf(unanswered) / UNANSWERED),
        ...byPhase('unanswered', unanswered, UNANSWERED),
        noted('unanswered call with a webhook, in all', 'statements', countOf(reported) / UNANSWERED),
        below(
          'answered call: dial, callbacks, outcome',
          'statements',
          15,
          countOf(answered, DIALLER) / ANSWERED,
        ),
        noted('answered call with a webhook, in all', 'statements', countOf(answered) / ANSWERED),
        ...byPhase('answered', answered, ANSWERED),
        noted('CPU of the service, unanswered call', 'ms', unanswered.cpuMs / UNANSWERED),
        noted('CPU of the service, answered call', 'ms', answered.cpuMs / ANSWERED),
      ];
    });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

async function callsOf(
  { database, service, counts }: DialRig,
  name: string,
  numbers: readonly string[],
  webhookUrl?: string,
): Promise<StatementCounts> {
  const { pool } = database;
  const options = webhookUrl === undefined ? {} : { webhookUrl };
  const customer = await aDialCustomer(pool, service.url, name, { campaigns: 1, ...options });
  await addLeads(pool, customer, numbers);
  say(`dialer: ${numbers.length} calls, ${name}`);
  const before = await counts();
  await startCampaigns(pool, customer.campaignIds);
  await until(database, SETTLED, [customer.id], numbers.length);
  const counted = since(before, await counts());
  printTexts(counted, numbers.length);
  return counted;
}
