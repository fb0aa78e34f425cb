import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { deliveriesOf, secretOf, verified } from '../factories/webhook.js';
import { Receiver, type Received } from '../support/receiver.js';
import { callFromOutside } from '../support/sandbox.js';

const CALLER = '+14155550199';
const HANGS_UP = '0023';
/** The receiver is asked for so long before the call is answered without it. */
const LIMIT_MS = 3_000;

describe('the webhooks of an inbound call', () => {
  let user: TestAccount;
  let receiver: Receiver;
  let assistantId: number;

  const answering = async (account: TestAccount): Promise<void> => {
    user = account;
    assistantId = await anAssistant(user, {
      calls_direction: 'receive',
      phone_number_id: user.phoneNumber.id,
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
      variables: { shop: 'Bicycles', name: 'unknown' },
    });
    const inbound = { assistant_id: assistantId, webhook_url: `${receiver.url}/inbound` };
    await user.client.post('/user/assistants/enable-inbound-webhook', inbound);
  };
  const event =
    (name: string) =>
    ({ headers }: Received) =>
      headers['webhook-event'] === name;
  const call = () => callFromOutside(user.phoneNumber.phone_number, CALLER, HANGS_UP);

  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(() => receiver.close());

  it('request variables before the answer, merge them, and notify both channels', async () => {
    await answering(await anAccount());
    receiver.reply = (request) =>
      event('call.inbound')(request)
        ? { body: '{"variables":{"name":"Ada","__proto__":{"admin":true}}}' }
        : {};
    await call();
    const requests = await receiver.requests(3);
    const secret = await secretOf(user);
    for (const request of requests) verified(secret, request);
    const [question, ...told] = requests;
    expect(question?.headers['webhook-event']).toBe('call.inbound');
    expect(question?.body).toEqual({
      call_id: expect.any(Number),
      assistant_id: assistantId,
      customer_phone: CALLER,
      assistant_phone: user.phoneNumber.phone_number,
      variables: { shop: 'Bicycles', name: 'unknown' },
      status: 'initiated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(told.map(({ headers }) => headers['webhook-event'])).toEqual(['call.completed', 'call.completed']);
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    expect(told[0]?.body).toEqual(told[1]?.body);
    expect(told[0]?.body).toMatchObject({
      id: question?.body.call_id,
      type: 'inbound',
      status: 'completed',
      input_variables: { shop: 'Bicycles', name: 'Ada' },
    });
    const deliveries = await deliveriesOf(user, `call_id=${String(question?.body.call_id)}`);
    expect(deliveries.map(({ channel }) => channel).sort()).toEqual(['inbound', 'post-call']);
  });

  it('show the lead that calls, with its campaign', async () => {
    await answering(await anAccount());
    const campaign = await aCampaign(user);
    const lead = await aLead(user, campaign, { phone_number: CALLER, variables: { name: 'Ada' } });
    await call();
    const [question, completed] = await receiver.requests(2);
    expect(question?.body).toMatchObject({ variables: { shop: 'Bicycles', name: 'Ada' } });
    expect(completed?.body).toMatchObject({
      input_variables: { shop: 'Bicycles', name: 'Ada' },
      lead: { id: lead.id, phone_number: CALLER, status: 'created', call_tries: 0 },
      campaign: { id: campaign, name: 'Spring offer', status: 'draft' },
    });
    expect(completed?.body).toHaveProperty('lead.campaign', completed?.body.campaign);
  });

  it('do not delay the answer when the receiver hangs', async () => {
    await answering(await anAccount());
    receiver.reply = (request) => (event('call.inbound')(request) ? { delayMs: 60_000 } : {});
    await call();
    const [question, completed] = await receiver.requests(2);
    expect(completed?.body).toMatchObject({
      status: 'completed',
      input_variables: { shop: 'Bicycles', name: 'unknown' },
    });
    expect((completed?.at ?? 0) - (question?.at ?? 0)).toBeGreaterThanOrEqual(LIMIT_MS);
  });

  it('report a call that is refused for lack of balance', async () => {
    await answering(await anAccount({ balance: 0 }));
    await call();
    const told = await receiver.requests(2);
    for (const request of told) {
      expect(event('call.updated')(request)).toBe(true);
      expect(request.body).toMatchObject({
        type: 'inbound',
        status: 'busy',
        ended_reason: 'balance',
      });
    }
  });
});
