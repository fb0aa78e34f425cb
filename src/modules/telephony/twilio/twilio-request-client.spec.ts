import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeTelephonySettings } from '../telephony.fake.js';
import { TwilioRequestClient } from './twilio-request-client.js';

const settings = fakeTelephonySettings();
let answer: RequestListener;
let server: Server;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  settings.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('aborts at its deadline, even when the response has begun', async () => {
  const client = new TwilioRequestClient(settings, 50);
  const uri = 'https://api.twilio.com/2010-04-01/slow';
  const options = { method: 'get', uri, username: 'a', password: 'b' } as const;
  answer = () => undefined;
  await expect(client.request(options)).rejects.toMatchObject({ kind: 'timeout' });
  answer = (_, response) => void response.writeHead(200).write('{');
  await expect(client.request(options)).rejects.toMatchObject({ kind: 'timeout' });
});
