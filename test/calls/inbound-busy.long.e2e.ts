import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

const SILENT = '0022';
const SENTENCE = 'Zurzeit sind alle Leitungen belegt.';

describe('callers for whom there is no line, with INBOUND_BUSY=say', () => {
  let bench: CarrierBench;

  const answering = async (plan: string, balance: number): Promise<TestAccount> => {
    const user = await anAccount({ plan, balance, service: bench });
    const { id } = user.phoneNumber;
    await anAssistant(user, {
      calls_direction: 'receive',
      phone_number_id: id,
      language: 'German',
      voice_id: 24,
      // The first ones still hold the line when the last ones have come.
      max_silence_duration: 120,
    });
    return user;
  };
  const called = (user: TestAccount, count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, () => bench.receives(user.phoneNumber.phone_number, aNumber(), SILENT)),
    );
  const total = async ({ client }: TestAccount, filter: string): Promise<number> =>
    (await client.get<{ total: number }>(`/user/calls?${filter}`)).body.total;
  const sentencesTo = async (user: TestAccount): Promise<number> =>
    (await bench.journal()).filter(
      ({ kind, to, heard }) =>
        kind === 'speech' && to === user.phoneNumber.phone_number && heard?.startsWith(SENTENCE),
    ).length;

  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 80, { INBOUND_BUSY: 'say' });
  });
  afterAll(() => bench.stop());

  it('hear a sentence in the language of the assistant, twenty of thirty on a plan of ten', async () => {
    const user = await answering('standard', 100);
    await called(user, 30);
    await until(async () => (await sentencesTo(user)) === 20);
    await until(async () => (await total(user, 'status=in-progress')) === 10);
    const { body } = await user.client.get<{ data: object[]; total: number }>(
      '/user/calls?status=busy&per_page=20',
    );
    expect(body.data).toHaveLength(20);
    for (const call of body.data) {
      expect(call).toMatchObject({ ended_reason: 'plan_limit', duration: 0, total_cost: 0 });
    }
  });

  it('hear it too when the balance pays for no minute', async () => {
    const user = await answering('standard', 0);
    await called(user, 1);
    await until(async () => (await sentencesTo(user)) === 1);
    const { body } = await user.client.get<{ data: object[] }>('/user/calls');
    expect(body.data).toEqual([expect.objectContaining({ status: 'busy', ended_reason: 'balance' })]);
  });
});
