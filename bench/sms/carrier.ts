/**
 * node carrier.js: accepts messages as the carrier does and reports `sent` and `delivered` of each; sends its URL to
 * its parent. It has the sandbox's messages without its journal and its faults: those took as long as the service.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { exchange } from '#src/common/outbound-http/outbound-exchange.js';
import {
  messageJson,
  messageOrder,
  newMessage,
  type MessageRecord,
} from '../../sandbox/carrier/message-record.js';
import { signRequest } from '../../sandbox/carrier/signature.js';

export const CARRIER = {
  accountSid: `AC${'b'.repeat(32)}`,
  authToken: 'bench-token',
  apiKey: 'bench-key',
};

/** Of the sandbox at 20 times the speed. */
const SENT_MS = 20;
const DELIVERED_MS = 80;
const LIMITS = { timeoutMs: 15_000, maxResponseBytes: 1_000 };

const agent = new Agent();

async function report(url: string, { sid, from, to, status }: MessageRecord): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  const params = {
    AccountSid: CARRIER.accountSid,
    ApiVersion: '2010-04-01',
    From: from,
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    To: to,
  };
  const { statusCode } = await exchange(
    agent,
    {
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signRequest(CARRIER.authToken, url, params),
      },
      body: new URLSearchParams(params).toString(),
    },
    LIMITS,
  );
  if (statusCode >= 300) throw new Error(`a report was answered ${statusCode}`);
}

async function deliver(message: MessageRecord, url: string | null): Promise<void> {
  if (url === null) return;
  await sleep(SENT_MS);
  message.status = 'sent';
  await report(url, message);
  await sleep(DELIVERED_MS);
  message.status = 'delivered';
  await report(url, message);
}

if (process.send) {
  process.on('disconnect', () => process.exit(0));
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(404).end();
      const order = messageOrder(parse(text));
      const message = newMessage(order);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(messageJson(CARRIER.accountSid, message)));
      return void deliver(message, order.statusCallback);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
