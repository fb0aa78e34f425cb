import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { ScriptedResolver } from './host-resolver.fake.js';
import { echo, httpServer, type LocalServer } from './local-server.fake.js';
import { OutboundHttpService } from './outbound-http.service.js';

/** Hosts as someone would write them into a URL; a server listens on the loopback port that they are given. */
const HOSTS: Record<string, string[]> = {
  'loopback in every IPv4 spelling': [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '0177.0x0.0.1',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '１２７.０.０.１',
    '127.255.255.254',
    '127.0.0.0x',
  ],
  'this host and this network': ['0', '0.0.0.0', '0x0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  'loopback in IPv6': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]'],
  'IPv4 inside IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::10.0.0.1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2002:c0a8:101::1]',
    '[2001:0:4136:e378:8000:63bf:f5ff:fffe]',
  ],
  'names for this machine': ['localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'LocalHost.'],
  'private networks': [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '0xa000001',
  ],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  'cloud metadata': [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  'local, reserved and documentation ranges': [
    '169.254.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '[fc00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[2001:2::1]',
    '[2001:20::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.250', '255.255.255.255', '[ff02::1]', '[ff0e::1]'],
};

/** Addresses as a name server could answer them. */
const ANSWERS = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1%lo',
  'fd00:ec2::254',
  '168.63.129.16',
  '0177.0.0.1',
  '127.1',
  'not an address',
  '',
];

const UNPARSABLE = [
  '[fe80::1%25lo]',
  '256.0.0.1',
  '1.2.3.4.5',
  '127.0.0.1g:',
  '[::1',
  '::1',
  '[::ffff:127.1]',
  '127.0.0.1 ',
];

/** TCP connections that Node begins, whoever asks for them; the port is set after the hook has run. */
const connections: { port?: number }[] = [];
const hook = createHook({
  init: (_id, type, _trigger, resource) => {
    if (type === 'TCPCONNECTWRAP') connections.push(resource);
  },
});

describe('addresses that a user URL must not reach', () => {
  let server: LocalServer;
  let closed: OutboundHttpService;

  beforeAll(async () => {
    server = await httpServer(echo);
    closed = client();
    hook.enable();
  });

  afterAll(async () => {
    hook.disable();
    await closed.close();
    await server.close();
  });

  function client(allowCidrs: string[] = [], resolver?: ScriptedResolver): OutboundHttpService {
    return new OutboundHttpService({ allowCidrs, userAgent: 'spec' }, resolver);
  }

  /** Connections to the server's port at any address. Clients of other files in this process use other ports. */
  const countConnections = () => connections.filter(({ port }) => port === server.port).length;

  async function outcome(http: OutboundHttpService, host: string, scheme = 'http', port = server.port) {
    const url = `${scheme}://${host}:${port}/`;
    const result = await http.request({ method: 'POST', url, timeoutMs: 5000, maxResponseBytes: 1000 });
    return result.ok ? result.statusCode : result.reason;
  }

  it('control: an allowed request reaches the listener', async () => {
    const open = client(['127.0.0.0/8']);
    const before = countConnections();
    expect(await outcome(open, '127.0.0.1')).toBe(200);
    expect(countConnections()).toBe(before + 1);
    await open.close();
  });

  describe.each(Object.entries(HOSTS))('%s', (_group, hosts) => {
    it.each(hosts)('%s is blocked without a connection', async (host) => {
      const before = countConnections();
      expect(await outcome(closed, host)).toBe('blocked_address');
      expect(await outcome(closed, host, 'https')).toBe('blocked_address');
      expect(countConnections()).toBe(before);
    });
  });

  it.each(UNPARSABLE)('%s is not a host', async (host) => {
    const before = countConnections();
    expect(await outcome(closed, host)).toBe('invalid_url');
    expect(countConnections()).toBe(before);
  });

  it.each(ANSWERS)('a name that resolves to "%s" is blocked without a connection', async (address) => {
    const http = client([], new ScriptedResolver([[address]]));
    const before = countConnections();
    expect(await outcome(http, 'receiver.example.com')).toBe('blocked_address');
    expect(countConnections()).toBe(before);
    await http.close();
  });

  it('blocks a name if any of its addresses is blocked', async () => {
    for (const answer of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
    ]) {
      const http = client(['127.0.0.1/32'], new ScriptedResolver([answer]));
      const before = countConnections();
      expect(await outcome(http, 'receiver.example.com')).toBe('blocked_address');
      expect(countConnections()).toBe(before);
      await http.close();
    }
  });

  it('resolves the name again for every connection (DNS rebinding)', async () => {
    const once = await httpServer((_request, response) => {
      response.setHeader('connection', 'close');
      response.end();
    }, '0.0.0.0');
    const resolver = new ScriptedResolver([['127.0.0.1'], ['127.0.0.2']]);
    const http = client(['127.0.0.1/32'], resolver);
    expect(await outcome(http, 'rebinding.example.com', 'http', once.port)).toBe(200);
    expect(await outcome(http, 'rebinding.example.com', 'http', once.port)).toBe('blocked_address');
    expect(resolver.asked).toHaveLength(2);
    expect(once.connections()).toBe(1);
    await http.close();
    await once.close();
  });

  it('resolves once per connection and connects to the checked address', async () => {
    const resolver = new ScriptedResolver([['127.0.0.1'], ['127.0.0.2']]);
    const http = client(['127.0.0.1/32'], resolver);
    const before = server.connections();
    for (let round = 0; round < 5; round += 1) {
      expect(await outcome(http, 'rebinding.example.com')).toBe(200);
      await setImmediate(); // the socket returns to the pool one turn after the body ended
    }
    expect(resolver.asked).toEqual(['rebinding.example.com']);
    expect(server.connections()).toBe(before + 1);
    await http.close();
  });

  it('permits exactly the configured ranges', async () => {
    const all = await httpServer(echo, '0.0.0.0');
    const one = client(['127.0.0.2/32']);
    expect(await outcome(one, '127.0.0.2', 'http', all.port)).toBe(200);
    expect(await outcome(one, '[::ffff:127.0.0.2]', 'http', all.port)).toBe(200);
    for (const host of ['127.0.0.1', '127.0.0.3', '10.0.0.2', '[::1]', '[::127.0.0.2]', '[2002:7f00:2::]']) {
      expect(await outcome(one, host, 'http', all.port)).toBe('blocked_address');
    }
    const eight = client(['127.0.0.0/8']);
    expect(await outcome(eight, '127.0.0.1', 'http', all.port)).toBe(200);
    expect(await outcome(eight, '127.9.9.9', 'http', all.port)).toBe(200);
    for (const host of ['10.0.0.1', '[::1]']) {
      expect(await outcome(eight, host, 'http', all.port)).toBe('blocked_address');
    }
    await one.close();
    await eight.close();
    await all.close();
  });

  it('reaches localhost by name when loopback is allowed', async () => {
    const open = client(['127.0.0.0/8', '::1/128']);
    expect(await outcome(open, 'localhost')).toBe(200);
    expect(await outcome(open, 'receiver.localhost')).toBe(200);
    await open.close();
  });

  it('rejects an invalid range in the constructor', () => {
    expect(() => client(['127.0.0.0/8', '10.0.0.0'])).toThrow('"10.0.0.0" is not a CIDR range');
  });

  it('follows no redirect', async () => {
    const redirecting = await httpServer((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.2:${server.port}/` }).end();
    });
    const open = client(['127.0.0.0/8']);
    const before = server.connections();
    expect(await outcome(open, '127.0.0.1', 'http', redirecting.port)).toBe(302);
    expect(server.connections()).toBe(before);
    await open.close();
    await redirecting.close();
  });
});
