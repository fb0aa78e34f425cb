import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { deliveriesOf, secretOf, verified } from '../factories/webhook.js';
import { Receiver } from '../support/receiver.js';
import { limitAccount, passAnHour, sendSms, SMS_PRICE } from '../support/spending.js';
import { until } from '../support/until.js';

let user: TestAccount;
let receiver: Receiver;

beforeEach(async () => {
  [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
});
afterEach(() => receiver.close());

/** Whose webhook gets more than completed calls, unless it is said otherwise. */
const aReportingAssistant = (webhook_url: string, send_webhook_only_on_completed = false) =>
  anAssistant(user, { is_webhook_active: true, webhook_url, send_webhook_only_on_completed });

const reported = async () =>
  (await deliveriesOf(user, '')).filter(({ event }) => event === 'spend_limit_reached');

it('a limit that is reached is reported once in the hour, at each URL once', async () => {
  await aReportingAssistant(receiver.url);
  await aReportingAssistant(receiver.url);
  await aReportingAssistant(`${receiver.url}/completed-only`, true);
  const { client, id } = await anApiKey(user, { name: 'CRM', spend_limit_per_hour: 2 * SMS_PRICE });
  await Promise.all(Array.from({ length: 10 }, () => sendSms(user, client)));
  const [request] = await receiver.requests(1);
  if (!request) throw new Error('no request');
  expect(request.headers['webhook-event']).toBe('spend_limit_reached');
  verified(await secretOf(user), request);
  expect(request.body).toEqual({
    event: 'spend_limit_reached',
    api_key: { id, name: 'CRM' },
    spend_limit_per_hour: 2 * SMS_PRICE,
    spent: 2 * SMS_PRICE,
    hour_ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000000Z$/),
    timestamp: expect.stringMatching(/Z$/),
  });
  await sendSms(user, client);
  await passAnHour(user);
  await Promise.all(Array.from({ length: 10 }, () => sendSms(user, client)));
  await receiver.requests(2);
  await until(async () => (await reported()).every(({ status }) => status === 'delivered'));
  expect(await reported()).toHaveLength(2);
  expect(receiver.received).toHaveLength(2);
});

it('each limit is reported: that of the account without a key', async () => {
  await aReportingAssistant(receiver.url);
  await limitAccount(user, SMS_PRICE);
  const { client, id } = await anApiKey(user, { spend_limit_per_hour: SMS_PRICE });
  await sendSms(user, client);
  const bodies = (await receiver.requests(2)).map(({ body }) => body);
  expect(new Set(bodies.map(({ api_key: key }) => (key as { id: number } | null)?.id ?? null))).toEqual(
    new Set([null, id]),
  );
});

it('a limit is reported when it refuses a call, and when it is set below what is spent', async () => {
  const assistant_id = await aReportingAssistant(receiver.url);
  const { client } = await anApiKey(user, { spend_limit_per_hour: 0.1 });
  await sendSms(user, client);
  expect(await reported()).toEqual([]);
  await client.post('/user/make_call', { assistant_id, phone_number: '+15005550022' });
  const [first] = await receiver.requests(1);
  expect(first?.body).toMatchObject({ spend_limit_per_hour: 0.1, spent: SMS_PRICE });
  await limitAccount(user, 0.01);
  const [, second] = await receiver.requests(2);
  expect(second?.body).toMatchObject({ api_key: null, spend_limit_per_hour: 0.01, spent: SMS_PRICE });
});
