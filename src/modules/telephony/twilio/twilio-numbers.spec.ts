import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CarrierError } from '../carrier-error.js';
import { fakeTelephonySettings } from '../telephony.fake.js';
import { TwilioCarrierService } from './twilio-carrier.service.js';
import { TwilioOracle, type SentRequest } from './twilio-oracle.fake.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const settings = fakeTelephonySettings();
const account = `/2010-04-01/Accounts/${settings.accountSid}`;
const oracle = TwilioOracle.load();
const SID = `PN${'1'.repeat(32)}`;
const URLS = {
  VoiceUrl: 'https://calls.example.com/telephony/incoming#rc=5&rp=all',
  VoiceFallbackUrl: 'https://calls.example.com/telephony/incoming',
  StatusCallback: 'https://calls.example.com/telephony/status',
  SmsUrl: 'https://calls.example.com/telephony/incoming-sms',
};

const owned = (changes: object = {}) => ({
  sid: SID,
  phone_number: '+14152345678',
  capabilities: { voice: true, sms: true, mms: false },
  date_created: 'Tue, 10 Nov 2026 10:00:00 +0000',
  voice_url: URLS.VoiceUrl,
  voice_fallback_url: URLS.VoiceFallbackUrl,
  status_callback: URLS.StatusCallback,
  sms_url: URLS.SmsUrl,
  ...changes,
});
const asShown = {
  sid: SID,
  phoneNumber: '+14152345678',
  smsCapable: true,
  isConnected: true,
  createdAt: new Date('2026-11-10T10:00:00Z'),
};

let sent: SentRequest[];
let answers: Record<string, [status: number, body: object | null]>;
let server: Server;
let carrier: TwilioCarrierService;

beforeEach(async () => {
  [sent, answers] = [[], {}];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://carrier');
      const method = request.method ?? '';
      sent.push({ method, path: pathname, query: searchParams, form: new URLSearchParams(body) });
      const [status, shown] = answers[`${method} ${pathname.slice(account.length)}`] ?? [
        404,
        { code: 20404, message: 'Not found', status: 404 },
      ];
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(shown && JSON.stringify(shown));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  settings.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  carrier = new TwilioCarrierService(settings, new TwilioUrlsService(settings));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  // The description at hand has no numbers for sale.
  for (const request of sent.filter(({ path }) => !path.includes('/Available'))) {
    expect(oracle?.faults(request) ?? []).toEqual([]);
  }
});

describe('numbers at the carrier', () => {
  it('buys a number with its calls, messages and reports connected', async () => {
    answers = { 'POST /IncomingPhoneNumbers.json': [201, owned()] };
    expect(await carrier.buyNumber('+14152345678')).toEqual(asShown);
    expect(Object.fromEntries(sent[0]?.form ?? [])).toEqual({ PhoneNumber: '+14152345678', ...URLS });
  });

  it('reports with its code that a number is not available', async () => {
    const refusal = { code: 21422, message: 'PhoneNumber is not available', status: 400 };
    answers = { 'POST /IncomingPhoneNumbers.json': [400, refusal] };
    await expect(carrier.buyNumber('+14152345678')).rejects.toMatchObject({
      failure: 'rejected',
      code: 21422,
    } satisfies Partial<CarrierError>);
  });

  it('finds exactly the number in the list, which has those that contain it too', async () => {
    const page = { incoming_phone_numbers: [owned({ phone_number: '+141523456789' }), owned()] };
    answers = { 'GET /IncomingPhoneNumbers.json': [200, page] };
    expect(await carrier.findNumber('+14152345678')).toEqual(asShown);
    expect(await carrier.findNumber('+1415234')).toBeNull();
  });

  it('identifies numbers whose calls go elsewhere', async () => {
    const elsewhere = owned({ voice_url: 'https://demo.example.com', capabilities: { voice: true } });
    answers = { 'GET /IncomingPhoneNumbers.json': [200, { incoming_phone_numbers: [elsewhere] }] };
    expect(await carrier.listNumbers()).toEqual([{ ...asShown, smsCapable: false, isConnected: false }]);
  });

  it('connects a number', async () => {
    answers = { [`POST /IncomingPhoneNumbers/${SID}.json`]: [200, owned()] };
    await carrier.connectNumber(SID);
    expect(Object.fromEntries(sent[0]?.form ?? [])).toEqual(URLS);
  });

  it('releases a number, also one that is gone', async () => {
    await carrier.releaseNumber(SID);
    answers = { [`DELETE /IncomingPhoneNumbers/${SID}.json`]: [204, null] };
    await carrier.releaseNumber(SID);
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('searches all types, of which a country may have none', async () => {
    const forSale = {
      phone_number: '+4915123456789',
      iso_country: 'DE',
      address_requirements: 'local',
      capabilities: { voice: true, SMS: true },
    };
    const page = { available_phone_numbers: [forSale] };
    answers = { 'GET /AvailablePhoneNumbers/DE/Mobile.json': [200, page] };
    expect(await carrier.searchNumbers({ countryCode: 'DE', contains: '151', limit: 5 })).toEqual([
      {
        phoneNumber: '+4915123456789',
        countryCode: 'DE',
        type: 'mobile',
        smsCapable: true,
        addressRequirements: 'local',
      },
    ]);
    expect(sent.map(({ path }) => path.split('/').at(-1)).sort()).toEqual([
      'Local.json',
      'Mobile.json',
      'TollFree.json',
    ]);
    expect(sent[0]?.query.toString()).toBe('Contains=151&VoiceEnabled=true&PageSize=5');
  });

  it('fails when one of the lists fails', async () => {
    answers = {
      'GET /AvailablePhoneNumbers/DE/Local.json': [401, { code: 20003, message: 'no', status: 401 }],
    };
    await expect(carrier.searchNumbers({ countryCode: 'DE', contains: null, limit: 5 })).rejects.toThrow(
      CarrierError,
    );
  });
});
