import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { answer, forward, startProxy, type Proxy } from '../../faults/support/forward.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

// Calls take seconds; on a loaded machine many.
jest.setTimeout(90_000);

interface LeadRow {
  status: string;
  attempts: number;
  due_at: Date;
}

const refusal = (status: number, code: number) => ({
  status,
  body: JSON.stringify({ code, message: 'Refused', status }),
});
const TOO_MANY = refusal(429, 20429);
const WRONG_TOKEN = refusal(401, 20003);
const UNAVAILABLE = refusal(503, 20503);
const COUNTRY_NOT_ENABLED = refusal(403, 21215);

describe('a carrier that takes no calls', () => {
  let bench: CarrierBench;
  let proxy: Proxy;
  /** Requests for calls that are refused from now on. */
  let refusals = 0;
  let answers = TOO_MANY;
  let requests = 0;
  /** Nothing is answered otherwise, questions neither. */
  let isOut = false;

  beforeAll(async () => {
    const carrier = async (carrierUrl: string): Promise<string> => {
      proxy = await startProxy(async (exchange, response) => {
        const placesCall = exchange.method === 'POST' && exchange.path.endsWith('/Calls.json');
        if (placesCall) requests++;
        const isRefused = placesCall && refusals-- > 0;
        if (isOut) answer(response, UNAVAILABLE);
        else answer(response, isRefused ? answers : await forward(carrierUrl, exchange));
      });
      return proxy.url;
    };
    bench = await CarrierBench.start(carrier, 80, {
      MAX_CALLS_INCLUDE_MAKE_CALL: 'true',
      RING_TIMEOUT_SECONDS: '5',
    });
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

  const start = (user: TestAccount, campaign_id: number) =>
    user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });

  /** One without leads. */
  const aRunningCampaign = async (user: TestAccount): Promise<number> => {
    const id = await aCampaign(user, { mark_complete_when_no_leads: false });
    await start(user, id);
    return id;
  };

  const pausedReason = async (user: TestAccount, campaignId: number): Promise<string | null> => {
    const { body } = await user.client.get<{ data: { status: string; paused_reason: string | null } }>(
      `/user/campaigns/${campaignId}`,
    );
    expect(body.data.status).toMatch(/in-progress|completed/);
    return body.data.paused_reason;
  };

  it.each([
    ['429', TOO_MANY],
    ['401', WRONG_TOKEN],
  ])('uses up no attempt with %s, is asked rarely, and gets the calls afterwards', async (_, refused) => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1 });
    for (let count = 0; count < 3; count++) await aLead(user, campaignId);
    const before = await leadRows(campaignId);
    expect(await pausedReason(user, await aRunningCampaign(user))).toBe(null);
    [refusals, answers, requests] = [Infinity, refused, 0];
    await start(user, campaignId);
    await until(async () => (await pausedReason(user, campaignId)) === 'carrier');
    const refusedCalls = await until(async () => {
      const { rows } = await bench.db.query<{ status: string; reason: string; settled: boolean }>(
        `SELECT DISTINCT c.status, c.ended_reason AS reason, a.outcome IS NOT NULL AS settled
           FROM calls c JOIN call_attempts a ON a.call_id = c.id WHERE a.campaign_id = $1`,
        [campaignId],
      );
      return rows.length > 0 && rows.every(({ settled }) => settled) ? rows : null;
    });
    expect(refusedCalls).toEqual([{ status: 'failed', reason: 'carrier_unavailable', settled: true }]);
    expect(await leadRows(campaignId)).toEqual(before);
    const atPause = requests;
    const probes = () =>
      until(async () => {
        const { rows } = await bench.db.query<{ probes: number }>('SELECT probes FROM carrier_breakers');
        return rows[0]?.probes === 1;
      }, 20_000);
    await probes();
    await until(async () => requests === atPause + 1);
    refusals = 0;
    const after = await until(async () => {
      const rows = await leadRows(campaignId);
      return rows.every(({ status }) => !['created', 'processing'].includes(status)) ? rows : null;
    }, 30_000);
    expect(after.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array(3).fill('completed 1'),
    );
    expect(await pausedReason(user, campaignId)).toBe(null);
  });

  it('does not go on with a campaign that a person stopped during the pause', async () => {
    const user = await anAccount({ service: bench });
    const stoppedId = await aCampaign(user, { max_retries: 1 });
    const campaignId = await aCampaign(user, { max_retries: 1 });
    for (const id of [stoppedId, campaignId]) {
      for (let count = 0; count < 3; count++) await aLead(user, id);
    }
    [refusals, answers] = [Infinity, TOO_MANY];
    await start(user, stoppedId);
    await start(user, campaignId);
    await until(async () => (await pausedReason(user, campaignId)) === 'carrier');
    await user.client.post('/user/campaigns/update-status', { campaign_id: stoppedId, action: 'stop' });
    const { rows } = await bench.db.query<{ last: number }>('SELECT max(id) AS last FROM calls');
    refusals = 0;
    await until(async () => (await leadRows(campaignId)).every(({ status }) => status === 'completed'));
    const { body } = await user.client.get<{ data: object }>(`/user/campaigns/${stoppedId}`);
    expect(body.data).toMatchObject({ status: 'stopped', stopped_reason: null, paused_reason: null });
    const untouched = { status: 'created', attempts: 0 };
    expect(await leadRows(stoppedId)).toMatchObject([untouched, untouched, untouched]);
    const later = 'SELECT 1 FROM calls WHERE campaign_id = $1 AND id > $2';
    expect((await bench.db.query(later, [stoppedId, rows[0]?.last])).rows).toEqual([]);
  });

  it('gives the attempt of a lead back whose country it does not call, and calls the others', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 1 });
    for (let count = 0; count < 2; count++) await aLead(user, campaignId);
    [refusals, answers] = [1, COUNTRY_NOT_ENABLED];
    await start(user, campaignId);
    const rows = await until(async () => {
      const found = await leadRows(campaignId);
      return found[1]?.status === 'completed' ? found : null;
    });
    expect(rows[0]).toMatchObject({ status: 'created', attempts: 0 });
    expect((rows[0]?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(5 * 60_000);
  });

  it('gives attempts back whose requests it cannot have taken, once it has no such calls', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 2 });
    for (let count = 0; count < 2; count++) await aLead(user, campaignId);
    [refusals, answers] = [2, UNAVAILABLE];
    await start(user, campaignId);
    await until(async () => (await leadRows(campaignId)).every(({ status }) => status === 'completed'));
    const called = { status: 'completed', attempts: 1 };
    expect(await leadRows(campaignId)).toMatchObject([called, called]);
    const { rows } = await bench.db.query(
      'SELECT status, ended_reason AS reason FROM calls WHERE campaign_id = $1 ORDER BY id',
      [campaignId],
    );
    const notPlaced = { status: 'failed', reason: 'not_placed' };
    expect(rows.slice(0, 2)).toEqual([notPlaced, notPlaced]);
    expect(rows).toHaveLength(4);
  });

  // With more slots: `npm run faults -- carrier`.
  it('goes on within 30 s where a request without a clear answer held the only slot', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 1 });
    for (let count = 0; count < 2; count++) await aLead(user, campaignId);
    [refusals, requests, isOut] = [0, 0, true];
    await start(user, campaignId);
    await until(async () => (await pausedReason(user, campaignId)) === 'carrier');
    await until(async () => {
      const { rows } = await bench.db.query('SELECT 1 FROM carrier_breakers WHERE probe_at < now()');
      return rows.length === 1;
    }, 20_000);
    // A probe would exceed the campaign's slots.
    expect(requests).toBe(1);
    const preview = await user.client.get<{ data: object }>(`/user/campaigns/${campaignId}/preview`);
    expect(preview.body.data).toMatchObject({ reason: 'carrier' });
    isOut = false;
    await until(async () => requests > 1, 30_000);
    await until(
      async () => (await leadRows(campaignId)).every(({ status }) => status === 'completed'),
      30_000,
    );
    expect((await leadRows(campaignId)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it('fails a single call', async () => {
    const user = await anAccount({ service: bench });
    [refusals, answers] = [1, WRONG_TOKEN];
    const id = await aCall(user, await anAssistant(user));
    const call = await callWhen(user, id, ({ status }) => status === 'failed');
    refusals = 0;
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
    [refusals, answers] = [1, COUNTRY_NOT_ENABLED];
    await call(number);
    refusals = 0;
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
