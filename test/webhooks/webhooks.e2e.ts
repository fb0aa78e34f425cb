import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen, HANGS_UP } from '../factories/call.js';
import { deliveriesOf, deliveryWhen, secretOf, verified } from '../factories/webhook.js';
import { baseUrl } from '../support/client-base.js';
import { database } from '../support/database.js';
import { Receiver, type Received } from '../support/receiver.js';
import { until } from '../support/until.js';

const ISO_MICROS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('the webhook of a call', () => {
  let user: TestAccount;
  let other: TestAccount;
  let receiver: Receiver;
  const assistant = (fields: Record<string, unknown> = {}) =>
    anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url, ...fields });

  beforeEach(async () => {
    [user, other, receiver] = await Promise.all([anAccount(), anAccount(), Receiver.open()]);
  });
  afterEach(() => receiver.close());

  it('is signed, contains the call, and its outcome is shown on the call and in the log', async () => {
    const assistantId = await assistant();
    const id = await aCall(user, assistantId, { variables: { order: 'Grüße 👋' } });
    const [request] = await receiver.requests(1);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^VoiceAssistantCalls\//),
      'webhook-event': 'call.completed',
      'webhook-id': expect.stringMatching(/^msg_/),
    });
    expect(verified(await secretOf(user), request as Received)).toEqual({
      id,
      customer_phone: HANGS_UP,
      assistant_phone: user.phoneNumber.phone_number,
      duration: expect.any(Number),
      status: 'completed',
      extracted_variables: expect.any(Object),
      input_variables: { order: 'Grüße 👋' },
      transcript: expect.stringContaining('AI: '),
      formatted_transcript: expect.stringContaining('AI: '),
      transfers: [],
      actions: [],
      recording_url: null,
      created_at: expect.stringMatching(ISO_MICROS),
      finished_at: expect.stringMatching(ISO_MICROS),
      campaign: null,
      lead: null,
      type: 'outbound',
      assistant_id: assistantId,
      answered_by: expect.any(String),
      ended_by: 'customer',
      ended_reason: expect.any(String),
      total_cost: expect.any(Number),
    });
    const { webhook_response } = await callWhen(user, id, (call) => call.webhook_response.attempts === 1);
    expect(webhook_response).toEqual({
      status_code: 200,
      body: '{"ok":true}',
      attempts: 1,
      delivered_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      error: null,
    });
    expect(await deliveriesOf(user, `call_id=${id}`)).toEqual([
      {
        id: expect.any(Number),
        webhook_id: request?.headers['webhook-id'],
        event: 'call.completed',
        channel: 'post-call',
        call_id: id,
        assistant_id: assistantId,
        url: receiver.url,
        status: 'delivered',
        reason: null,
        test: false,
        attempts_count: 1,
        next_attempt_at: null,
        delivered_at: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    expect(await deliveriesOf(other, `call_id=${id}`)).toEqual([]);
  });

  it('is sent once when its event is dispatched again', async () => {
    const assistantId = await assistant();
    const id = await aCall(user, assistantId);
    await receiver.requests(1);
    const sent = await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    // As after a process died between the row of the delivery and the end of the event.
    await database().query(
      `WITH event AS (INSERT INTO domain_events (kind, payload) VALUES ('call.completed', $1))
       SELECT pg_notify('domain_events', '')`,
      [{ callId: id, accountId: user.id }],
    );
    await until(async () => {
      const { rows } = await database().query<{ last_error: string | null }>(
        'SELECT last_error FROM domain_events WHERE account_id = $1',
        [user.id],
      );
      expect(rows.flatMap(({ last_error }) => last_error ?? [])).toEqual([]);
      return rows.length === 0;
    });
    expect(await deliveriesOf(user, `call_id=${id}`)).toEqual([sent]);
    expect(receiver.received).toHaveLength(1);
  });

  it('is sent for an unanswered call only when the setting allows it', async () => {
    const [quiet, eager] = await Promise.all([
      assistant(),
      assistant({ send_webhook_only_on_completed: false }),
    ]);
    const unheard = await aCall(user, quiet, { phoneNumber: BUSY });
    await callWhen(user, unheard, ({ status }) => status === 'busy');
    const id = await aCall(user, eager, { phoneNumber: BUSY });
    const [request] = await receiver.requests(1);
    expect(request?.headers['webhook-event']).toBe('call.updated');
    expect(request?.body).toMatchObject({ id, status: 'busy', duration: 0, transcript: '' });
    await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    expect(await deliveriesOf(user, `call_id=${unheard}`)).toEqual([]);
  });

  it('contains the lead and its campaign', async () => {
    const campaign = await user.client.post<{ data: { id: number } }>('/user/campaigns', {
      name: 'Spring',
      assistant_id: await assistant(),
    });
    const lead = await user.client.post<{ data: { id: number } }>('/user/lead', {
      campaign_id: campaign.body.data.id,
      phone_number: HANGS_UP,
      variables: { name: 'Ada' },
    });
    const start = { campaign_id: campaign.body.data.id, action: 'start' };
    expect((await user.client.post('/user/campaigns/update-status', start)).status).toBe(200);
    const [request] = await receiver.requests(1);
    expect(request?.body.lead).toEqual({
      id: lead.body.data.id,
      phone_number: HANGS_UP,
      variables: { name: 'Ada' },
      status: expect.any(String),
      call_tries: 1,
      created_at: expect.stringMatching(ISO_MICROS),
      updated_at: expect.stringMatching(ISO_MICROS),
      campaign: {
        id: campaign.body.data.id,
        name: 'Spring',
        status: expect.any(String),
        allowed_hours_start_time: '00:00',
        allowed_hours_end_time: '23:59',
        allowed_days: expect.arrayContaining(['monday']),
        max_calls_in_parallel: 3,
        max_retries: 3,
        retry_interval: 60,
        created_at: expect.stringMatching(ISO_MICROS),
        updated_at: expect.stringMatching(ISO_MICROS),
      },
    });
    expect(request?.body).toHaveProperty('lead.campaign', request?.body.campaign);
  });

  it('contains the recording only when the setting allows it', async () => {
    const [withUrl, without] = await Promise.all([
      assistant({ record_call: true }),
      assistant({ record_call: true, include_recording_in_webhook: false }),
    ]);
    await aCall(user, withUrl);
    const [first] = await receiver.requests(1);
    expect(first?.body).toHaveProperty(
      'recording_url',
      expect.stringMatching(
        new RegExp(`^${baseUrl()}/recordings/${String(first?.body.id)}\\.[\\w.-]+\\.wav$`),
      ),
    );
    await aCall(user, without);
    const [, second] = await receiver.requests(2);
    expect(second?.body).toHaveProperty('recording_url', null);
  });

  it('is not sent when the webhook is disabled', async () => {
    const off = await anAssistant(user, { is_webhook_active: false, webhook_url: receiver.url });
    const silent = await aCall(user, off);
    await callWhen(user, silent, ({ status }) => status === 'completed');
    const id = await aCall(user, await assistant());
    await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    expect(await deliveriesOf(user, `call_id=${silent}`)).toEqual([]);
    expect(receiver.received.map(({ body }) => body.id)).toEqual([id]);
  });
});
