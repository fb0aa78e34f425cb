import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { singleModelSettings } from '#src/config/env.dto.js';
import { checkRealtime } from './check-realtime.js';
import { unreachableServer } from './doctor.fake.js';

const CARRIER = { accountSid: 'AC1', authToken: 'key', apiUrl: null };
const KEY = 'right';

describe('checkRealtime', () => {
  let server: WebSocketServer;
  let baseUrl: string;
  let sent: unknown[];

  beforeEach(async () => {
    sent = [];
    const verifyClient = ({ req }: { req: { headers: { authorization?: string } } }): boolean =>
      req.headers.authorization === `Bearer ${KEY}`;
    server = new WebSocketServer({ host: '127.0.0.1', port: 0, verifyClient });
    server.on('connection', (socket) => {
      socket.on('message', (data) => {
        sent.push((JSON.parse(String(data)) as { type: unknown }).type);
        socket.send('{"type":"session.updated"}');
      });
    });
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });

  afterEach(async () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    await once(server, 'close');
  });

  const check = (url: string, apiKey: string) =>
    checkRealtime({
      model: singleModelSettings({ baseUrl: url, apiKey }),
      carrier: CARRIER,
      databaseUrl: null,
      catalogueFile: null,
    });

  it('opens a session without audio', async () => {
    const [finding] = await check(baseUrl, KEY);
    expect(finding).toMatchObject({ name: 'realtime endpoint LLM_BASE_URL', state: 'ok' });
    expect(finding?.what).toMatch(/^gpt-realtime-2\.1: session open after \d+ ms$/);
    expect(sent).toEqual(['session.update']);
  });

  it('warns about a key that is refused', async () => {
    expect(await check(baseUrl, 'wrong')).toMatchObject([
      { state: 'warn', what: 'gpt-realtime-2.1: The realtime model refused the session: 401' },
    ]);
  });

  it('warns about an endpoint that does not respond', async () => {
    const { port } = await unreachableServer();
    expect(await check(`http://127.0.0.1:${port}/v1`, 'key')).toMatchObject([
      { state: 'warn', what: 'gpt-realtime-2.1: The realtime model cannot be reached' },
    ]);
  });

  it('sends no request to the sandbox', async () => {
    expect(
      await checkRealtime({ model: null, carrier: null, databaseUrl: null, catalogueFile: null }),
    ).toEqual([]);
  });
});
