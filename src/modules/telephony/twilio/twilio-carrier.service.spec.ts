import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PlaceCallRequest } from '../carrier-calls.js';
import { CarrierError } from '../carrier-error.js';
import { fakeTelephonySettings } from '../telephony.fake.js';
import { TwilioCarrierService } from './twilio-carrier.service.js';
import { TwilioOracle, type SentRequest } from './twilio-oracle.fake.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

type Answer = (request: SentRequest, response: ServerResponse) => void;

const settings = fakeTelephonySettings();
const account = `/2010-04-01/Accounts/${settings.accountSid}`;
const oracle = TwilioOracle.load();
let sent: SentRequest[];
let authorization: string | undefined;
let answer: Answer;
let server: Server;
let carrier: TwilioCarrierService;

beforeEach(async () => {
  sent = [];
  server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  settings.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  carrier = new TwilioCarrierService(settings, new TwilioUrlsService(settings));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  for (const request of sent) expect(oracle?.faults(request) ?? []).toEqual([]);
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://carrier');
  const form = new URLSearchParams(await text(request));
  authorization = request.headers.authorization;
  const one = { method: request.method ?? '', path: url.pathname, query: url.searchParams, form };
  sent.push(one);
  answer(one, response);
}

const json =
  (status: number, body: object): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

const call = (changes: object = {}) => ({
  sid: `CA${'1'.repeat(32)}`,
  from: '+15005550100',
  to: '+15005550020',
  status: 'queued',
  answered_by: null,
  duration: null,
  price: null,
  date_created: 'Tue, 10 Nov 2026 10:00:00 +0000',
  ...changes,
});

const placeCall = (changes: Partial<PlaceCallRequest> = {}) =>
  carrier.placeCall({
    from: '+15005550100',
    to: '+15005550020',
    token: 'tok',
    ringTimeoutSeconds: 25,
    maxDurationSeconds: 660,
    machineDetection: 'start',
    ...changes,
  });

async function failure(request: Promise<unknown>): Promise<CarrierError> {
  return request.then(
    () => Promise.reject(new Error('The request succeeded')),
    (error: CarrierError) => error,
  );
}

describe('TwilioCarrierService', () => {
  it('lists the calls to a number without those that another call requested, and these by that call', async () => {
    const parent = `CA${'1'.repeat(32)}`;
    const child = call({ sid: `CA${'2'.repeat(32)}`, parent_call_sid: parent, price: '-0.014' });
    answer = json(200, { calls: [child, call({ parent_call_sid: null })], next_page_uri: null });
    const listed = await carrier.listCalls('+15005550020', new Date('2026-11-10T09:59:00Z'));
    expect(listed.map(({ sid }) => sid)).toEqual([parent]);
    answer = json(200, { calls: [child], next_page_uri: null });
    expect(await carrier.transferCalls(parent)).toMatchObject([{ sid: child.sid, price: '0.014' }]);
    expect(sent.at(-1)?.query.get('ParentCallSid')).toBe(parent);
  });

  it('removes a call with those that it requested, and a message, where the carrier has them and they are complete', async () => {
    const [parent, child] = [`CA${'1'.repeat(32)}`, `CA${'2'.repeat(32)}`];
    answer = ({ method }, response) =>
      method === 'GET'
        ? json(200, { calls: [call({ sid: child })], next_page_uri: null })({} as never, response)
        : void response.writeHead(204).end();
    expect(await carrier.deleteCall(parent)).toBe(true);
    const removed = sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    expect(removed).toEqual([child, parent].map((sid) => `${account}/Calls/${sid}.json`));
    const message = `SM${'3'.repeat(32)}`;
    answer = json(404, { code: 20404, message: 'The requested resource was not found', status: 404 });
    expect(await carrier.deleteMessage(message)).toBe(true);
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: `${account}/Messages/${message}.json` });
    answer = json(409, {
      code: 20009,
      message: 'Cannot delete this resource before it is complete',
      status: 409,
    });
    expect(await carrier.deleteMessage(message)).toBe(false);
  });

  it('places a call with its callbacks, limits and asynchronous machine detection', async () => {
    answer = json(201, call());
    expect(await placeCall()).toEqual({
      sid: `CA${'1'.repeat(32)}`,
      from: '+15005550100',
      to: '+15005550020',
      status: 'queued',
      answeredBy: 'unknown',
      durationSeconds: null,
      price: null,
      createdAt: new Date('2026-11-10T10:00:00Z'),
    });
    const [request] = sent;
    expect(request).toMatchObject({ method: 'POST', path: `${account}/Calls.json` });
    expect(request?.form.getAll('StatusCallbackEvent')).toEqual(['ringing', 'completed']);
    expect(Object.fromEntries(request?.form ?? [])).toMatchObject({
      Url: 'https://calls.example.com/telephony/answer/tok#rc=5&rp=all',
      FallbackUrl: 'https://calls.example.com/telephony/answer/tok#rc=5&rp=all',
      StatusCallback: 'https://calls.example.com/telephony/status/tok',
      Timeout: '25',
      TimeLimit: '660',
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: 'https://calls.example.com/telephony/amd/tok',
    });
    const credentials = `${settings.accountSid}:${settings.authToken}`;
    expect(authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
  });

  it('has a machine reported when its announcement is over, however long that is', async () => {
    answer = json(201, call());
    await placeCall({ machineDetection: 'message-end' });
    expect(Object.fromEntries(sent[0]?.form ?? [])).toMatchObject({
      MachineDetection: 'DetectMessageEnd',
      MachineDetectionTimeout: '59',
      AsyncAmd: 'true',
    });
  });

  it('has the carrier request instructions again, and succeeds when the call is already over', async () => {
    answer = json(200, call({ status: 'in-progress' }));
    await carrier.redirectCall(`CA${'1'.repeat(32)}`, 'tok');
    expect(sent[0]?.form.get('Url')).toBe('https://calls.example.com/telephony/answer/tok#rc=5&rp=all');
    answer = json(400, { code: 21220, message: 'Call is not in-progress', status: 400 });
    await carrier.redirectCall(`CA${'1'.repeat(32)}`, 'tok');
  });

  it('returns the final price as a positive amount', async () => {
    answer = json(
      200,
      call({ status: 'completed', duration: '61', price: '-0.02600', answered_by: 'machine_end_beep' }),
    );
    expect(await carrier.fetchCall(`CA${'1'.repeat(32)}`)).toMatchObject({
      status: 'completed',
      durationSeconds: 61,
      price: '0.02600',
      answeredBy: 'machine',
    });
  });

  it('distinguishes a missing call from one that cannot be looked up', async () => {
    answer = json(404, { code: 20404, message: 'not found', status: 404 });
    expect(await carrier.fetchCall(`CA${'2'.repeat(32)}`)).toBeNull();
    answer = json(503, { message: 'down', status: 503 });
    expect(await failure(carrier.fetchCall(`CA${'2'.repeat(32)}`))).toMatchObject({ failure: 'unknown' });
  });

  it('hangs up, and succeeds when the call is already over', async () => {
    answer = json(200, call({ status: 'completed' }));
    await carrier.endCall(`CA${'1'.repeat(32)}`);
    expect(sent[0]?.form.get('Status')).toBe('completed');
    answer = json(400, { code: 21220, message: 'Call is not in-progress', status: 400 });
    await carrier.endCall(`CA${'1'.repeat(32)}`);
  });

  it('reads the list page by page until it is older than requested', async () => {
    const at = (time: string) => call({ date_created: `Tue, 10 Nov 2026 ${time} +0000` });
    const pages: Record<string, object[]> = {
      '0': [at('10:00:03'), at('10:00:02')],
      '1': [at('10:00:01'), at('09:59:59')],
    };
    answer = ({ query }, response) => {
      const page = query.get('Page') ?? '0';
      const next = `${account}/Calls.json?To=%2B15005550020&PageSize=100&Page=${Number(page) + 1}&PageToken=PA1`;
      json(200, { calls: pages[page], next_page_uri: next })({} as SentRequest, response);
    };
    const found = await carrier.listCalls('+15005550020', new Date('2026-11-10T10:00:00.900Z'));
    expect(found.map(({ createdAt }) => createdAt.toISOString().slice(11, 19))).toEqual([
      '10:00:03',
      '10:00:02',
      '10:00:01',
    ]);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.query.get('To')).toBe('+15005550020');
  });

  it('sends a message and lists messages', async () => {
    const message = { sid: 'SM1', from: '+15005550100', to: '+15005550006', body: 'Hi', status: 'queued' };
    const created = { ...message, date_created: 'Tue, 10 Nov 2026 10:00:00 +0000' };
    answer = json(201, created);
    const sms = await carrier.sendSms({ from: message.from, to: message.to, body: 'Hi', token: 'tok' });
    expect(sms).toEqual({ ...message, createdAt: new Date('2026-11-10T10:00:00Z') });
    expect(sent[0]?.form.get('StatusCallback')).toBe('https://calls.example.com/telephony/sms-status/tok');
    answer = json(200, { messages: [{ ...created, status: 'delivered' }], next_page_uri: null });
    expect(await carrier.listMessages(message.to, new Date(0))).toMatchObject([
      { sid: 'SM1', status: 'delivered' },
    ]);
  });

  it('empties the body of a message, unless the carrier has none', async () => {
    answer = json(200, { sid: 'SM1', body: '' });
    await carrier.removeBody('SM1');
    expect([sent[0]?.method, sent[0]?.path, sent[0]?.form.get('Body')]).toEqual([
      'POST',
      `${account}/Messages/SM1.json`,
      '',
    ]);
    answer = json(404, { code: 20404, message: 'not found' });
    await carrier.removeBody('SM1');
    answer = json(401, { code: 20003, message: 'Authenticate' });
    await expect(carrier.removeBody('SM1')).rejects.toThrow(CarrierError);
  });

  it('names a finished recording only', async () => {
    answer = json(200, { recordings: [{ sid: 'RE1', status: 'processing' }], next_page_uri: null });
    expect(await carrier.fetchRecordingUrl(`CA${'1'.repeat(32)}`)).toBeNull();
    answer = json(200, { recordings: [{ sid: 'RE1', status: 'completed' }], next_page_uri: null });
    expect(await carrier.fetchRecordingUrl(`CA${'1'.repeat(32)}`)).toBe(
      `${settings.apiUrl}${account}/Recordings/RE1`,
    );
  });

  it.each([
    [
      400,
      { code: 21211, message: "The 'To' number is not valid" },
      { failure: 'rejected', code: 21211, retryable: false },
    ],
    [401, { code: 20003, message: 'Authenticate' }, { failure: 'rejected', code: 20003, retryable: true }],
    [403, { code: 20005, message: 'Not active' }, { failure: 'rejected', code: 20005, retryable: true }],
    [403, { code: 21215, message: 'Not enabled' }, { failure: 'rejected', code: 21215, retryable: false }],
    [429, { code: 20429, message: 'Too many' }, { failure: 'rejected', code: 20429, retryable: true }],
    [500, { code: 20500, message: 'Oops' }, { failure: 'unknown', retryable: false }],
  ])('understands a %i', async (status, body, expected) => {
    answer = json(status, { ...body, status });
    const error = await failure(placeCall());
    expect(error).toMatchObject({ ...expected, detail: body.message });
    expect(error.message).not.toContain(body.message);
  });

  it.each([
    ['7', 7_000],
    ['soon', null],
  ])('returns the delay that the carrier requests (%s)', async (retryAfter, retryAfterMs) => {
    const body = { code: 20429, message: 'Too many', status: 429 };
    answer = (_, response) =>
      void response.writeHead(429, { 'retry-after': retryAfter }).end(JSON.stringify(body));
    const expected = { failure: 'rejected', code: 20429, detail: 'Too many', retryable: true, retryAfterMs };
    expect(await failure(placeCall())).toMatchObject(expected);
  });

  it('reports an unknown result when the response is truncated or invalid', async () => {
    answer = (_, response) => void response.destroy();
    expect(await failure(placeCall())).toMatchObject({ failure: 'unknown', retryable: false });
    answer = (_, response) => void response.writeHead(201).end('<html>');
    expect(await failure(placeCall())).toMatchObject({ failure: 'unknown' });
  });

  it('does not follow a redirect, which would send the credentials elsewhere', async () => {
    answer = (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    expect(await failure(placeCall())).toMatchObject({ failure: 'unknown' });
    expect(sent).toHaveLength(1);
  });

  it('reports that no call is placed when the connection is refused', async () => {
    server.close();
    await once(server, 'close');
    expect(await failure(placeCall())).toMatchObject({ failure: 'rejected', retryable: true });
  });
});
