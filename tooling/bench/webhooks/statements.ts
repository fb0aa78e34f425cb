import { countOf, printTexts, since, type Phase } from '../dialer/statement-counts.js';
import { below, noted, type Finding } from '../support/findings.js';
import { finishCalls } from './finished-calls.js';
import { BURST, TIMEOUT_MS, USUAL_ANSWER_MS, type WebhookRig } from './webhook-rig.js';

const PHASES: readonly Phase[] = ['relay', 'webhook row', 'outcome', 'delivery', 'due rows', 'other'];
/** Bursts before the measured one. */
const WARM_ROUNDS = 3;

/** Statements for a delivery; in a separate run, because counting takes a tenth of the service's CPU time. */
export async function statements(rig: WebhookRig): Promise<Finding[]> {
  return [
    ...(await ofDeliveries(rig, `after ${USUAL_ANSWER_MS} ms`, USUAL_ANSWER_MS)),
    ...(await ofDeliveries(rig, 'at once', 0)),
  ];
}

async function ofDeliveries(rig: WebhookRig, when: string, answerMs: number): Promise<Finding[]> {
  rig.receivers.tell({ hang: false, answerMs });
  for (let round = 0; round < WARM_ROUNDS; round++) await deliver(rig);
  const before = await rig.counts();
  await deliver(rig);
  const counted = since(before, await rig.counts());
  printTexts(counted, BURST);
  const what = `deliveries, receivers answer ${when}: statements`;
  return [
    below(what, 'statements', 2, countOf(counted) / BURST),
    ...PHASES.map((phase) => noted(`${what}, ${phase}`, 'statements', countOf(counted, [phase]) / BURST)),
  ];
}

async function deliver({ database, customers, receivers, settled }: WebhookRig): Promise<void> {
  await finishCalls(database.pool, customers, BURST);
  await receivers.take(BURST, TIMEOUT_MS);
  await settled();
}
