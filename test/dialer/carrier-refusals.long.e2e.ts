import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sendReply, forward, startProxy, type Proxy } from '../../tooling/faults/support/forward.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

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

describe('a carrier that accepts no calls', () => {
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
        if (isOut) sendReply(response, UNAVAILABLE);
        else sendReply(response, isRefused ? answers : await forward(carrierUrl, exchange));
      });
      return proxy.url;
    };
    bench = await CarrierBench.start(carrier, 80, {
      MAX_CALLS_INCLUDE_MAKE_CALL: 'true',
      RING_TIMEOUT_SECONDS: '5',
    });
    // A probe is due when the test says so, however long its steps take.
    await bench.db.query(`
      CREATE FUNCTION put_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.probe_at := now() + interval '1 day'; RETURN NEW; END $$;
      CREATE TRIGGER put_off BEFORE INSERT OR UPDATE ON carrier_breakers
        FOR EACH ROW WHEN (NEW.probe_at > now()) EXECUTE FUNCTION put_off()`);
  });

  beforeEach(() => {
    [refusals, isOut] = [0, false];
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

  /** Ends the pause of the breaker: what it waits for is measured in test/dialer/carrier-breaker.e2e.ts. */
  const makeProbeDue = () => bench.db.query('UPDATE carrier_breakers SET probe_at = now()');

  /** Waits until nothing is under way to the carrier: an answer from now on is one to a later request. */
  const areSettled = (...campaignIds: number[]) =>
    until(async () => {
      const { rows } = await bench.db.query(
        'SELECT 1 FROM call_attempts WHERE campaign_id = ANY($1) AND outcome IS NULL',
        [campaignIds],
      );
      return rows.length === 0;
    });

  /**
   * The carrier is asked about the campaign's calls that it did not answer, as if they were so many seconds older: one
   * that it does not know was not placed when its ring timeout is over.
   */
  const askAbout = (campaignId: number, olderBySeconds: number) =>
    bench.db.query(
      `UPDATE calls SET created_at = created_at - make_interval(secs => $2), check_at = now()
        WHERE campaign_id = $1 AND ended_at IS NULL AND carrier_sid IS NULL`,
      [campaignId, olderBySeconds],
    );

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
  ])('uses up no attempt with %s, gets rare requests, and gets the calls afterwards', async (_, refused) => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 5 });
    // As many refusals as the breaker needs.
    for (let count = 0; count < 5; count++) await aLead(user, campaignId);
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
    await makeProbeDue();
    await until(async () => requests > atPause);
    // The refusal is recorded: its pause would begin again after `makeProbeDue`.
    await areSettled(campaignId);
    const { rows: probes } = await bench.db.query('SELECT probes FROM carrier_breakers');
    expect([probes, requests]).toEqual([[{ probes: 1 }], atPause + 1]);
    refusals = 0;
    await makeProbeDue();
    const after = await until(async () => {
      const rows = await leadRows(campaignId);
      return rows.every(({ status }) => !['created', 'processing'].includes(status)) ? rows : null;
    });
    expect(after.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array(5).fill('completed 1'),
    );
    expect(await pausedReason(user, campaignId)).toBe(null);
  });

  it('does not continue with a campaign that a person stopped during the pause', async () => {
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
    await areSettled(stoppedId, campaignId);
    const { rows } = await bench.db.query<{ last: number }>('SELECT max(id) AS last FROM calls');
    refusals = 0;
    await makeProbeDue();
    await until(async () => (await leadRows(campaignId)).every(({ status }) => status === 'completed'));
    const { body } = await user.client.get<{ data: object }>(`/user/campaigns/${stoppedId}`);
    expect(body.data).toMatchObject({ status: 'stopped', stopped_reason: null, paused_reason: null });
    const untouched = { status: 'created', attempts: 0 };
    expect(await leadRows(stoppedId)).toMatchObject([untouched, untouched, untouched]);
    const later = 'SELECT 1 FROM calls WHERE campaign_id = $1 AND id > $2';
    expect((await bench.db.query(later, [stoppedId, rows[0]?.last])).rows).toEqual([]);
  });

  it('returns the attempt of a lead whose country it does not call, and calls the others', async () => {
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

  it('returns attempts whose requests it cannot have accepted, once it has no such calls', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 2 });
    for (let count = 0; count < 2; count++) await aLead(user, campaignId);
    [refusals, answers, requests] = [2, UNAVAILABLE, 0];
    await start(user, campaignId);
    await until(async () => requests === 2);
    await askAbout(campaignId, 10);
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

  // With more slots, and by the clock: `npm run faults -- carrier`.
  it('continues within 30 s when a request without a clear response holds the only slot', async () => {
    const user = await anAccount({ service: bench });
    const campaignId = await aCampaign(user, { max_retries: 1, max_calls_in_parallel: 1 });
    for (let count = 0; count < 2; count++) await aLead(user, campaignId);
    [refusals, requests, isOut] = [0, 0, true];
    await start(user, campaignId);
    await until(async () => requests === 1);
    await askAbout(campaignId, 0);
    await until(async () => (await pausedReason(user, campaignId)) === 'carrier');
    await makeProbeDue();
    const preview = await user.client.get<{ data: object }>(`/user/campaigns/${campaignId}/preview`);
    expect(preview.body.data).toMatchObject({ reason: 'carrier' });
    // Another campaign's probe shows that the dialler looked; one of this campaign would exceed its slots.
    const otherId = await aCampaign(user, { max_retries: 1 });
    await aLead(user, otherId);
    await start(user, otherId);
    await until(async () => requests === 2);
    const { rows: calls } = await bench.db.query('SELECT 1 FROM calls WHERE campaign_id = $1', [campaignId]);
    expect(calls).toHaveLength(1);
    // When the carrier is asked about the call again. The times of probes: carrier-breaker.e2e.ts.
    const { rows: checks } = await bench.db.query<{ seconds: number }>(
      `SELECT extract(epoch FROM check_at - now())::float AS seconds FROM calls WHERE campaign_id = $1`,
      [campaignId],
    );
    expect(checks[0]?.seconds).toBeLessThanOrEqual(20);
    isOut = false;
    await askAbout(campaignId, 10);
    await askAbout(otherId, 10);
    await makeProbeDue();
    for (const id of [campaignId, otherId])
      await until(async () => (await leadRows(id)).every(({ status }) => status === 'completed'));
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

  it('is not the reason when a number is called too often: refused calls do not count', async () => {
    const user = await anAccount({ service: bench });
    const assistantId = await anAssistant(user);
    const call = async (phoneNumber: string) => {
      const id = await aCall(user, assistantId, { phoneNumber });
      await callWhen(user, id, ({ status }) => !['initiated', 'ringing', 'in-progress'].includes(status));
      return id;
    };
    // Busy: the carrier takes its calls, and they are soon over.
    const number = '+15005550003';
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
