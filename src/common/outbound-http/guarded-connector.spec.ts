import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:https';
import { Agent } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { guardedConnector } from './guarded-connector.js';
import { ScriptedResolver } from './host-resolver.fake.js';
import { listen, tcpServer, type LocalServer } from './local-server.fake.js';
import { selfSignedCertificate } from './self-signed.fake.js';

describe('guardedConnector over TLS', () => {
  const identity = selfSignedCertificate();
  let server: LocalServer;
  let agent: Agent;

  beforeEach(async () => {
    const names = new Set<unknown>();
    server = await listen(
      createServer(identity, (request, response) => {
        if ('servername' in request.socket) names.add(request.socket.servername);
        response.end([...names].join());
      }),
    );
    agent = new Agent({
      connect: guardedConnector({
        policy: new AddressPolicy(['127.0.0.0/8']),
        resolver: new ScriptedResolver([['127.0.0.1']]),
        ca: identity.cert,
      }),
    });
  });

  afterEach(async () => {
    await agent.destroy();
    await server.close();
  });

  it('sends the host name as SNI and accepts a matching certificate', async () => {
    const response = await agent.request({
      origin: `https://localhost:${server.port}`,
      path: '/',
      method: 'GET',
    });
    expect(response.statusCode).toBe(200);
    expect(await response.body.text()).toBe('localhost');
  });

  it('refuses a certificate for another name', async () => {
    const origin = `https://other.example.com:${server.port}`;
    await expect(agent.request({ origin, path: '/', method: 'GET' })).rejects.toMatchObject({
      kind: 'tls_failure',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });
});

it('guardedConnector closes a socket to a blocked peer address before it sends a byte', async () => {
  const seen: Buffer[] = [];
  const server = await tcpServer((socket) => void socket.on('data', (data) => seen.push(data)));
  const answers = [true, false];
  const agent = new Agent({
    connect: guardedConnector({
      policy: { permits: () => answers.shift() ?? false },
      resolver: new ScriptedResolver([['127.0.0.1']]),
    }),
  });
  const origin = `http://receiver.example.com:${server.port}`;
  await expect(agent.request({ origin, path: '/', method: 'GET' })).rejects.toMatchObject({
    kind: 'blocked_address',
  });
  await server.connectionGone;
  expect(seen).toEqual([]);
  await agent.destroy();
  await server.close();
});
