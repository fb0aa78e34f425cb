import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';

// Calls take seconds; on a loaded machine many.
jest.setTimeout(60_000);

const SILENT = '+15005550022';
const RINGS_OUT = '+15005550004';
const ABSURD = '100000000';

/** Somebody who knows the carrier's secret, or the carrier itself, tells nonsense. */
describe('values reported by the carrier', () => {
  let bench: CarrierBench;
  let user: TestAccount;
  let assistantId: number;

  beforeAll(async () => {
    bench = await CarrierBench.shared();
  });

  afterAll(() => bench.stop());

  beforeEach(async () => {
    user = await anAccount({ service: bench });
    assistantId = await anAssistant(user);
  });

  const report = async (id: number, form: Record<string, string>): Promise<void> => {
    const { token, sid } = await bench.callAtCarrier(id);
    await bench.says(`status/${token}`, { CallSid: sid, ...form });
  };

  const figures = async (id: number): Promise<{ duration: number; total_cost: number }> =>
    (await user.client.get<{ duration: number; total_cost: number }>(`/user/calls/${id}`)).body;

  it('a duration is limited to the time since the answer', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: SILENT });
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    await report(id, { CallStatus: 'completed', CallDuration: ABSURD });
    await callWhen(user, id, ({ status }) => status === 'completed');
    const { duration, total_cost } = await figures(id);
    expect(duration).toBeLessThan(60);
    expect(total_cost).toBeLessThan(1);
  });

  it('a duration without an answer is 0', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: RINGS_OUT });
    await report(id, { CallStatus: 'busy', CallDuration: ABSURD });
    expect(await callWhen(user, id, ({ status }) => status === 'busy')).toMatchObject({
      duration: 0,
      total_cost: 0,
    });
  });

  it('without a duration in the report the call lasts from its answer', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: SILENT });
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    const { token, sid } = await bench.callAtCarrier(id);
    await bench.says(`action/${token}`, { CallSid: sid, CallStatus: 'completed' });
    await callWhen(user, id, ({ status }) => status === 'completed');
    expect((await figures(id)).duration).toBeGreaterThan(0);
  });

  it('a recording address that is a script, data or too long is not stored', async () => {
    const addresses = [
      'javascript:alert(1)',
      'data:text/html,hello',
      `https://example.com/${'a'.repeat(4000)}`,
    ];
    const calls = addresses.map(async (address) => {
      const caller = await anAccount({ service: bench });
      const id = await aCall(caller, await anAssistant(caller), { phoneNumber: SILENT });
      const { token, sid } = await bench.callAtCarrier(id);
      await bench.says(`recording/${token}`, {
        CallSid: sid,
        RecordingStatus: 'completed',
        RecordingUrl: address,
      });
      await report(id, { CallStatus: 'completed', CallDuration: '1' });
      return callWhen(caller, id, ({ status }) => ['completed', 'no-answer'].includes(status));
    });
    for (const call of await Promise.all(calls)) expect(call).not.toHaveProperty('recording_url');
  });
});
