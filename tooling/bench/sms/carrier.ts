/**
 * node carrier.js: accepts messages like the carrier and reports `sent` and `delivered` of each; sends its URL to its
 * parent. It has the sandbox's messages without its journal and its faults: those take as much CPU time as the
 * service.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parse, stringify } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** The sandbox's delay at 20 times the speed. */
const SENT_MS = 20;
const DELIVERED_MS = 80;

/** Connections waiting for a report, by destination host. */
const waiting = new Map<string, Set<Socket>>();

function connectionTo({ host, hostname, port }: URL): Socket {
  const sockets = waiting.get(host) ?? new Set();
  waiting.set(host, sockets);
  for (const socket of sockets) {
    sockets.delete(socket);
    return socket;
  }
  const socket = connect(Number(port), hostname).setNoDelay();
  // A stopped server resets its connections.
  socket.on('error', () => undefined);
  return socket.once('close', () => sockets.delete(socket));
}

/**
 * Resolves with the service's response; the HTTP exchange is written by hand, which takes a third of a client's time.
 */
function report(url: string, message: MessageRecord): Promise<void> {
  const target = new URL(url);
  const params = {
    AccountSid: CARRIER.accountSid,
    ApiVersion: '2010-04-01',
    From: message.from,
    MessageSid: message.sid,
    MessageStatus: message.status,
    SmsSid: message.sid,
    SmsStatus: message.status,
    To: message.to,
  };
  const body = stringify(params);
  const socket = connectionTo(target);
  socket.write(
    `POST ${target.pathname}${target.search} HTTP/1.1\r\nhost: ${target.host}\r\n` +
      'content-type: application/x-www-form-urlencoded\r\n' +
      `x-twilio-signature: ${signRequest(CARRIER.authToken, url, params)}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(new Error('a report was not answered'));
    socket.once('close', closed);
    // The response is shorter than a packet.
    socket.once('data', (answer) => {
      socket.removeListener('close', closed);
      waiting.get(target.host)?.add(socket);
      const line = answer.toString('latin1', 0, 12);
      if (line.startsWith('HTTP/1.1 2')) resolve();
      else reject(new Error(`a report was answered ${line}`));
    });
  });
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
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.setNoDelay().on('data', (chunk) => {
      text += chunk.toString('latin1');
      const headers = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (headers < 4 || text.length < headers + length) return;
      if (!text.startsWith('POST'))
        return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      const order = messageOrder(parse(text.slice(headers)));
      const message = newMessage(order);
      const answer = JSON.stringify(messageJson(CARRIER.accountSid, message));
      text = '';
      socket.write(
        'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n' +
          `content-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`,
      );
      void deliver(message, order.statusCallback);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
