import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhooks, WebhookReceiver } from './local-servers.js';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

it('receives webhooks and verifies the signature of each', async () => {
  const receiver = new WebhookReceiver();
  const url = await receiver.open('127.0.0.1');
  const send = async (id: number, secret: string): Promise<void> => {
    const body = JSON.stringify({ id });
    const now = new Date();
    const headers = {
      'webhook-event': 'call.completed',
      'webhook-id': `msg_${id}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(`msg_${id}`, now, body),
    };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  };
  await send(1, SECRET);
  await send(2, `whsec_${Buffer.alloc(24, 8).toString('base64')}`);
  expect((await fetch(url, { method: 'POST', body: 'not JSON' })).status).toBe(400);
  receiver.close();

  expect([receiver.hasWebhookOf(1), receiver.hasWebhookOf(3)]).toEqual([true, false]);
  expect(await verifyWebhooks(SECRET, receiver.received)).toEqual([
    { callId: 1, event: 'call.completed', webhookId: 'msg_1', problem: null },
    { callId: 2, event: 'call.completed', webhookId: 'msg_2', problem: expect.stringContaining('signature') },
  ]);
});
