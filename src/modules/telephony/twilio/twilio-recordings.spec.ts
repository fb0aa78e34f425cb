import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parseRange } from '#src/http/byte-range.js';
import type { RecordingAudio } from '../carrier-calls.js';
import { CarrierError } from '../carrier-error.js';
import { fakeTelephonySettings } from '../telephony.fake.js';
import { TwilioCarrierService } from './twilio-carrier.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const settings = fakeTelephonySettings();
const SID = `RE${'1'.repeat(32)}`;
const PATH = `/2010-04-01/Accounts/${settings.accountSid}/Recordings/${SID}`;
const ADDRESS = `https://api.twilio.com${PATH}`;
const BASIC = `Basic ${Buffer.from(`${settings.accountSid}:${settings.authToken}`).toString('base64')}`;
const AUDIO = Buffer.from('0123456789');

describe('recordings at the carrier', () => {
  let requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  let answer: (path: string, response: ServerResponse) => void;
  let server: Server;
  let carrier: TwilioCarrierService;
  let origin: string;

  beforeEach(async () => {
    requests = [];
    server = createServer(({ method = '', url: path = '', headers }, response) => {
      requests.push({ method, path, headers });
      answer(path, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    settings.apiUrl = origin;
    carrier = new TwilioCarrierService(settings, new TwilioUrlsService(settings));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const respond =
    (status: number, headers: Record<string, string | number> = {}, body: Buffer | string = '') =>
    (_path: string, response: ServerResponse) =>
      void response.writeHead(status, headers).end(body);
  const fetchIt = (address = ADDRESS, range?: string) =>
    carrier.fetchRecording(address, { range: parseRange(range), signal: AbortSignal.timeout(5_000) });

  it('are requested with the credentials, as WAV, at the address of the settings', async () => {
    answer = respond(200, { 'content-type': 'audio/x-wav', 'content-length': AUDIO.length }, AUDIO);
    for (const address of [ADDRESS, `https://evil.example.com${PATH}`, `${ADDRESS}.mp3`]) {
      const audio = (await fetchIt(address)) as RecordingAudio;
      expect(audio).toMatchObject({ contentType: 'audio/wav', total: AUDIO.length, part: null });
      expect(await buffer(audio.body)).toEqual(AUDIO);
    }
    expect(requests).toHaveLength(3);
    for (const { path, headers } of requests) {
      expect(path).toBe(`${PATH}.wav`);
      expect(headers).toMatchObject({ authorization: BASIC, 'accept-encoding': 'identity' });
      expect(headers).not.toHaveProperty('range');
    }
  });

  it('are not requested at an address that is none of a recording', async () => {
    for (const address of [
      'https://calls.example.com/a.wav',
      'javascript:alert(1)',
      'nonsense',
      `${ADDRESS}/../..`,
    ])
      expect(await fetchIt(address)).toBeNull();
    await carrier.deleteRecording('https://calls.example.com/a.wav');
    expect(requests).toEqual([]);
  });

  it('are sent in parts, or complete where the carrier ignores ranges', async () => {
    const type = { 'content-type': 'audio/x-wav' };
    answer = respond(206, { ...type, 'content-range': 'bytes 2-4/10' }, AUDIO.subarray(2, 5));
    expect(await fetchIt(ADDRESS, 'bytes=2-4')).toMatchObject({ total: 10, part: { first: 2, last: 4 } });
    expect(requests[0]?.headers.range).toBe('bytes=2-4');
    answer = respond(200, { ...type, 'content-length': 10 }, AUDIO);
    expect(await fetchIt(ADDRESS, 'bytes=2-4')).toMatchObject({ total: 10, part: null });
    answer = respond(416, { 'content-range': 'bytes */10' });
    expect(await fetchIt(ADDRESS, 'bytes=10-')).toEqual({ outside: 10 });
  });

  it.each([404, 410])('do not exist where the carrier responds with %i', async (status) => {
    answer = respond(status, { 'content-type': 'application/json' }, '{}');
    expect(await fetchIt()).toBeNull();
  });

  it.each([
    ['refuses the credentials', respond(401)],
    ['fails', respond(503)],
    ['sends something else', respond(200, { 'content-type': 'text/html' }, '<p>Hello')],
    [
      'sends another part',
      respond(206, { 'content-type': 'audio/x-wav', 'content-range': 'bytes 0-4/10' }, 'x'),
    ],
    ['sends a part that does not say which', respond(206, { 'content-type': 'audio/x-wav' }, 'x')],
    ['resets the connection', (_: string, response: ServerResponse) => void response.destroy()],
    ['redirects without end', respond(302, { location: PATH })],
    ['redirects to where nobody encrypts', respond(302, { location: 'http://10.0.0.1/a.wav' })],
    ['redirects into a private network', respond(302, { location: 'https://127.0.0.1:1/a.wav' })],
  ])('are a failure of the carrier when it %s', async (_, given) => {
    answer = given;
    await expect(fetchIt(ADDRESS, 'bytes=2-4')).rejects.toThrow(CarrierError);
  });

  it('are followed to another path of the carrier', async () => {
    answer = (path, response) =>
      path === '/elsewhere'
        ? respond(200, { 'content-type': 'audio/mpeg' }, AUDIO)(path, response)
        : respond(307, { location: '/elsewhere' })(path, response);
    expect(await fetchIt()).toMatchObject({ contentType: 'audio/mpeg', total: null });
  });

  it('stop downloading when the reader disconnects', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/x-wav', 'content-length': 100 }).write(AUDIO);
    };
    const audio = (await fetchIt()) as RecordingAudio;
    expect(await connections(server)).toBe(1);
    audio.body.on('error', () => undefined).destroy();
    await connectionsAre(server, 0);
  });

  it('are deleted, and one that is gone is left as it is', async () => {
    for (const status of [204, 404]) {
      answer = respond(
        status,
        status === 404 ? { 'content-type': 'application/json' } : {},
        status === 404 ? '{}' : '',
      );
      await carrier.deleteRecording(ADDRESS);
    }
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill(`DELETE ${PATH}.json`),
    );
    expect(requests[0]?.headers.authorization).toBe(BASIC);
    answer = respond(503);
    await expect(carrier.deleteRecording(ADDRESS)).rejects.toThrow(CarrierError);
  });
});

const connections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function connectionsAre(server: Server, count: number): Promise<void> {
  while ((await connections(server)) !== count) await new Promise((resolve) => setImmediate(resolve));
}
