import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { EvaluationBench, POLITE } from '../support/evaluation-bench.js';
import { until } from '../support/until.js';

let bench: EvaluationBench;
beforeEach(async () => {
  bench = await EvaluationBench.start();
});
afterEach(() => bench.stop());

it('requests the evaluation once while the price is late', async () => {
  // Of four attempts; on a busy machine the first ones wait for the last turns of the conversation.
  bench.unpriced = 1;
  const user = await anAccount(bench);
  const id = await aCall(user, await anAssistant(user), { phoneNumber: POLITE });
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(bench.priceRequests).toBeGreaterThan(1);
  const evaluation = { status: expect.any(Boolean), summary: expect.any(String) };
  expect([bench.evaluations, call]).toEqual([1, expect.objectContaining({ evaluation })]);
});

it('does not request the evaluation again after a crash while the price is late', async () => {
  bench.isPriceHeld = true;
  const user = await anAccount(bench);
  const id = await aCall(user, await anAssistant(user), { phoneNumber: POLITE });
  const { db } = bench.service;
  await until(async () => {
    const { rows } = await db.query('SELECT 1 FROM calls WHERE id = $1 AND evaluated_at IS NOT NULL', [id]);
    return rows.length === 1;
  });
  await bench.service.restart('kill');
  bench.isPriceHeld = false;
  // The lease of the process that is gone is over.
  await db.query('UPDATE calls SET wrap_up_due_at = now() WHERE id = $1', [id]);
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  const evaluation = { status: expect.any(Boolean), summary: expect.any(String) };
  expect([bench.evaluations, call]).toEqual([1, expect.objectContaining({ evaluation })]);
});
