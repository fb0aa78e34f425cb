import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { anAccount, type TestAccount } from './factories/account.js';
import { anAssistant } from './factories/assistant.js';
import { Receiver, type Received } from './support/receiver.js';
import { until } from './support/until.js';

const HANGS_UP = '+15005550023';
const BUSY = '+15005550003';

interface CallRecord {
  status: string;
  webhook_response: Record<string, unknown>;
}

const secretOf = async ({ client }: TestAccount): Promise<string> =>
  (await client.get<{ data: { secret: string } }>('/user/webhook-secret')).body.data.secret;

const verify = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

async function call({ client }: TestAccount, assistantId: number, phoneNumber: string, variables = {}) {
  const { status, text, body } = await client.post<{ call_id: number }>('/user/make_call', {
    assistant_id: assistantId,
    phone_number: phoneNumber,
    variables,
  });
  if (status !== 200) throw new Error(`no call: ${status} ${text}`);
  return body.call_id;
}

describe('the webhook of a call', () => {
  let user: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    user = await anAccount();
  });
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(() => receiver.close());

  it('tells the whole call, signed', async () => {
    const assistantId = await anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url });
    const id = await call(user, assistantId, HANGS_UP, { order: 'Grüße 👋' });
    const [request] = await receiver.requests(1);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^VoiceAssistantCalls\//),
      'webhook-event': 'call.completed',
      'webhook-id': expect.stringMatching(/^msg_/),
    });
    expect(verify(await secretOf(user), request as Received)).toEqual({
      id,
      customer_phone: HANGS_UP,
      assistant_phone: user.phoneNumber.phone_number,
      duration: expect.any(Number),
      status: 'completed',
      extracted_variables: expect.any(Object),
      input_variables: { order: 'Grüße 👋' },
      transcript: expect.stringContaining('AI: '),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      lead: null,
      type: 'outbound',
      assistant_id: assistantId,
      answered_by: expect.any(String),
      ended_by: 'customer',
      ended_reason: expect.any(String),
      total_cost: expect.any(Number),
    });
    const record = await until(async () => {
      const { body } = await user.client.get<{ data: CallRecord }>(`/user/calls/${id}`);
      return Object.keys(body.data.webhook_response).length > 0 ? body.data : null;
    });
    expect(record.webhook_response).toEqual({
      status_code: 200,
      body: '{"ok":true}',
      attempts: 1,
      delivered_at: expect.any(String),
      error: null,
    });
  });
});
