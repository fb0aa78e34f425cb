import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { EvaluationBench, POLITE } from '../support/evaluation-bench.js';

let bench: EvaluationBench;
beforeAll(async () => {
  bench = await EvaluationBench.start();
});
afterAll(() => bench.stop());

// After a crash: evaluation-once.long.e2e.ts.
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
