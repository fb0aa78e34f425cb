import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { aTestDelivery } from '../factories/webhook.js';
import { baseUrl } from '../support/client.js';
import { EventStreamClient } from '../support/event-stream.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const scrape = async (): Promise<string> => (await fetch(`${baseUrl()}/metrics`)).text();

/** The sample whose name and labels begin so; 0 when there is none. */
const sample = (text: string, start: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1) ?? 0,
  );

describe('GET /metrics', () => {
  let user: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
  });
  afterAll(() => receiver.close());

  it('is served outside the API prefix without a token', async () => {
    const answer = await fetch(`${baseUrl()}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const text = await answer.text();
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'webhook_queue_age_seconds',
    ]) {
      expect(sample(text, name)).toBeGreaterThanOrEqual(0);
      expect(text).toContain(`# TYPE ${name} `);
    }
  });

  it('counts requests by route template', async () => {
    const route =
      'http_request_duration_seconds_count{method="GET",route="/api/user/webhook-deliveries/:id",status="404"}';
    const before = sample(await scrape(), route);
    for (const id of [1, 2, 'none']) {
      // 503: the database of a busy machine did not answer in time.
      await until(async () => (await user.client.get(`/user/webhook-deliveries/${id}`)).status === 404);
    }
    // The client may have an answer before its end is measured.
    await until(async () => sample(await scrape(), route) >= before + 3);
  });

  it('measures conversations, models, tools and ends of calls, and counts streams', async () => {
    const before = await scrape();
    const stream = await EventStreamClient.open(user.token, '/user/calls/events');
    const tool = await user.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'check_order',
      description: 'Looks up an order and checks which appointment is available.',
      endpoint: receiver.url,
      method: 'POST',
      timeout: 5,
      schema: [{ name: 'order_number', type: 'string', description: 'The number of the order' }],
    });
    const assistant = await anAssistant(user, { tool_ids: [tool.body.data.id] });
    const talks = await aCall(user, assistant, { phoneNumber: '+15005550025' });
    const machine = await aCall(user, assistant, { phoneNumber: '+15005550005' });
    for (const id of [talks, machine]) await callWhen(user, id, ({ status }) => status === 'completed');
    const model = 'model="gpt-6-luna"';
    const names = [
      'conversation_first_frame_seconds_count',
      'conversation_endpoint_wait_seconds_count',
      'tool_duration_seconds_count{outcome="ok"}',
      `language_model_requests_total{${model},role="turn",outcome="answered"}`,
      `language_model_requests_total{${model},role="evaluation",outcome="answered"}`,
      `language_model_first_token_seconds_count{${model}}`,
      `language_model_tokens_total{${model},kind="prompt"}`,
      `language_model_tokens_total{${model},kind="completion"}`,
      'calls_ended_total{type="outbound",status="ended",reason="voicemail"}',
    ];
    // A call may be read as ended before its end is counted.
    for (const name of names) await until(async () => sample(await scrape(), name) > sample(before, name));
    const after = await scrape();
    expect(sample(after, 'live_event_streams')).toBeGreaterThanOrEqual(1);
    expect(after).toContain('# TYPE conversations_running gauge');
    expect(after).not.toContain('check_order');
    stream.close();
  });

  it('counts calls and attempts of the dialler, and reports the age of the oldest due lead', async () => {
    const start = (one: TestAccount, campaign_id: number) =>
      one.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
    // Without slots, so that its lead is due for as long as the campaign runs.
    const plan = `no-slots-${user.id}`;
    await database().query(
      `INSERT INTO plans (name, max_tools, max_campaigns, max_parallel_calls, price_per_minute_micros)
       VALUES ($1, 5, 5, 0, 0)`,
      [plan],
    );
    const idle = await anAccount({ plan });
    const waiting = await aCampaign(idle);
    const { id } = await aLead(idle, waiting);
    await database().query(`UPDATE leads SET due_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    await start(idle, waiting);

    const placed = 'dialer_calls_placed_total';
    const busy = 'dialer_attempts_total{outcome="busy"}';
    const before = await scrape();
    const campaign = await aCampaign(user, { max_retries: 1 });
    await aLead(user, campaign, { phone_number: BUSY });
    await start(user, campaign);
    // Calls of other files count too.
    for (const name of [busy, placed])
      await until(async () => sample(await scrape(), name) > sample(before, name));
    const after = await scrape();
    expect(after).toContain('# TYPE dialer_slots_in_use gauge');
    expect(after).toMatch(/^dialer_carrier_failing [01]$/m);
    await until(async () => sample(await scrape(), 'dialer_oldest_due_lead_seconds') >= 7_200);
    await idle.client.delete(`/user/campaigns/${waiting}`);
  });

  it('counts deliveries by outcome, and measures receivers', async () => {
    const delivered = 'webhook_deliveries_total{outcome="delivered"}';
    const dead = 'webhook_deliveries_total{outcome="dead"}';
    const latency = 'webhook_attempt_duration_seconds_count{result="5xx"}';
    const before = await scrape();
    const assistantId = await anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url });
    await aTestDelivery(user, assistantId);
    receiver.reply = () => ({ status: 500 });
    await aTestDelivery(user, assistantId);
    await until(async () => {
      const after = await scrape();
      return [delivered, dead, latency].every((name) => sample(after, name) > sample(before, name));
    });
    await until(async () => sample(await scrape(), 'webhook_dead_deliveries') >= 1);
  });
});
