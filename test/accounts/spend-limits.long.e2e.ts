import { expect, it } from '@jest/globals';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { auditLog } from '../support/audit.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';
import { KEY_LIMIT, limitOf, passAnHour, sendSms, SMS_PRICE } from '../support/spending.js';
import { until } from '../support/until.js';

it('a service that is killed when a limit is reached reports it once, and keeps the limit', async () => {
  const own = await OwnService.start(undefined, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  const receiver = await Receiver.open();
  try {
    const user = await own.account();
    await anAssistant(user, {
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    });
    const { client } = await anApiKey(user, { spend_limit_per_hour: 2 * SMS_PRICE });
    // The process reaches the limit, and cannot report it before it dies.
    const lock = await own.holding('LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE', []);
    for (const status of [200, 200, 429]) expect((await sendSms(user, client)).status).toBe(status);
    await own.service.kill();
    await lock.release();
    await own.restart();
    await receiver.requests(1);
    expect(limitOf(await sendSms(user, client))).toBe(KEY_LIMIT);
    await own.restart();
    expect(limitOf(await sendSms(user, client))).toBe(KEY_LIMIT);
    await passAnHour(user, own.db);
    for (const status of [200, 200, 429]) expect((await sendSms(user, client)).status).toBe(status);
    await receiver.requests(2);
    const entries = () => auditLog(user, 'action=api-key.reach-spend-limit');
    await until(async () => (await entries()).length >= 2);
    expect(await entries()).toHaveLength(2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  } finally {
    await receiver.close();
    await own.stop();
  }
});
