import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { answer, forward, startProxy, type Proxy } from '../../faults/support/forward.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

// Calls take seconds; on a loaded machine many.
jest.setTimeout(60_000);

interface LeadRow {
  status: string;
  attempts: number;
  due_at: Date;
}

const TOO_MANY = {
  status: 429,
  body: JSON.stringify({ code: 20429, message: 'Too Many Requests', status: 429 }),
};

describe('a carrier that takes no calls', () => {
  let bench: CarrierBench;
  let proxy: Proxy;
  let refuses = false;

  beforeAll(async () => {
    const carrier = async (carrierUrl: string): Promise<string> => {
      proxy = await startProxy(async (exchange, response) => {
        const placesCall = exchange.method === 'POST' && exchange.path.endsWith('/Calls.json');
        answer(response, refuses && placesCall ? TOO_MANY : await forward(carrierUrl, exchange));
      });
      return proxy.url;
    };
    bench = await CarrierBench.start(carrier, 80, { MAX_CALLS_INCLUDE_MAKE_CALL: 'true' });
  });

  afterAll(async () => {
    await bench.stop();
    await proxy.close();
  });

  const leadRows = async (campaignId: number): Promise<LeadRow[]> => {
    const { rows } = await bench.db.query<LeadRow>(
      'SELECT status, attempts, due_at FROM leads WHERE campaign_id = $1 ORDER BY id',
      [campaignId],
    );
    return rows;
  };

  it('uses up no attempt: leads keep status and order, and are dialled afterwards', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1 });
    for (let count = 0; count < 3; count++) await aLead(user, campaignId);
    const before = await leadRows(campaignId);
    refuses = true;
    await user.client.post('/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' });
    const refused = await until(async () => {
      const { rows } = await bench.db.query<{ status: string; reason: string; settled: boolean }>(
        `SELECT DISTINCT c.status, c.ended_reason AS reason, a.outcome IS NOT NULL AS settled
           FROM calls c JOIN call_attempts a ON a.call_id = c.id WHERE a.campaign_id = $1`,
        [campaignId],
      );
      return rows.length > 0 && rows.every(({ settled }) => settled) ? rows : null;
    });
    expect(refused).toEqual([{ status: 'failed', reason: 'carrier_unavailable', settled: true }]);
    expect(await leadRows(campaignId)).toEqual(before);
    refuses = false;
    const after = await until(async () => {
      const rows = await leadRows(campaignId);
      return rows.every(({ status }) => !['created', 'processing'].includes(status)) ? rows : null;
    });
    expect(after.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array(3).fill('completed 1'),
    );
  });

  it('fails a single call', async () => {
    const user = await anAccount({ service: bench });
    refuses = true;
    const id = await aCall(user, await anAssistant(user));
    const call = await callWhen(user, id, ({ status }) => status === 'failed');
    refuses = false;
    expect(call).toMatchObject({ ended_reason: 'carrier_rejected' });
  });

  it('is not the reason when a number was called too often: refused calls do not count', async () => {
    const user = await anAccount({ service: bench });
    const assistantId = await anAssistant(user);
    const call = async (phoneNumber: string) => {
      const id = await aCall(user, assistantId, { phoneNumber });
      await callWhen(user, id, ({ status }) => !['initiated', 'ringing', 'in-progress'].includes(status));
      return id;
    };
    const number = '+14155550133';
    refuses = true;
    await call(number);
    refuses = false;
    const [first = 0] = [await call(number), await call(number), await call(number)];
    await user.client.delete(`/user/calls/${first}`);
    const again = () =>
      user.client.post('/user/make_call', { assistant_id: assistantId, phone_number: number });
    const refused = await again();
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: 'This number has been called too often.' },
    ]);
    await bench.db.query(`UPDATE calls SET created_at = now() - interval '25 hours' WHERE id = $1`, [first]);
    expect((await again()).status).toBe(200);
  });
});
