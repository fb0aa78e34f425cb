import type { FastifyInstance } from 'fastify';
import { first, requiredField, type Form } from './form.js';
import type { Network } from './network.js';
import {
  type NumberForSale,
  type NumberList,
  numberForSale,
  scenarioOf,
  searchNumbers,
} from './numbers-for-sale.js';
import type { OwnedNumber } from './owned-numbers.js';
import { pageOf } from './page.js';
import { rfc2822 } from './rest-dates.js';
import { RestError } from './rest-error.js';

interface BySid {
  Params: { sid: string };
}

interface InCountry {
  Params: { country: string; list: string };
  Querystring: Form;
}

const LISTS: ReadonlySet<string> = new Set<NumberList>(['Local', 'Mobile', 'TollFree']);
/** The carrier's default and limit for numbers for sale. */
const PAGE_SIZE = { usual: 30, largest: 100 };

/** Numbers for sale and those of the account, below `/2010-04-01/Accounts/{sid}`. */
export function numbersRoutes(app: FastifyInstance, network: Network): void {
  const { accountSid, numbers, clockSpeed, closing } = network;
  const root = `/2010-04-01/Accounts/${accountSid}`;
  const shown = (number: OwnedNumber) => numberJson(accountSid, number);
  const released = new Set<string>();

  app.get<InCountry>('/AvailablePhoneNumbers/:country/:list.json', async ({ params, query }) => {
    const { country, list } = params;
    if (!LISTS.has(list)) throw new RestError(20404);
    const wanted = Number(first(query, 'PageSize') ?? PAGE_SIZE.usual);
    const limit = Math.min(Math.max(1, wanted || PAGE_SIZE.usual), PAGE_SIZE.largest);
    const found = searchNumbers(country, list as NumberList, first(query, 'Contains'), limit);
    return {
      available_phone_numbers: found
        .filter(({ phoneNumber }) => !numbers.withNumber(phoneNumber))
        .map(forSaleJson),
      uri: `${root}/AvailablePhoneNumbers/${country}/${list}.json`,
    };
  });

  app.post<{ Body: Form }>('/IncomingPhoneNumbers.json', async ({ body }, reply) => {
    const phoneNumber = requiredField(body, 'PhoneNumber', 21421);
    const { refusal, answer, delayMs } = scenarioOf(phoneNumber);
    numberForSale(phoneNumber);
    if (refusal !== null) throw new RestError(refusal);
    await clockSpeed.sleep(delayMs, closing);
    const number = numbers.buy(phoneNumber, body);
    if (answer === 'error') throw new RestError(20500);
    // Bought, but without a response: the connection stays open.
    if (answer === 'lost') return reply.hijack();
    return reply.code(201).send(shown(number));
  });

  app.get<{ Querystring: Form }>('/IncomingPhoneNumbers.json', async ({ query }) => {
    const part = first(query, 'PhoneNumber')
      ?.replace(/[^\d*]/g, '')
      .replaceAll('*', '\\d');
    const found = numbers.all().filter(({ phoneNumber }) => !part || new RegExp(part).test(phoneNumber));
    return pageOf('incoming_phone_numbers', found.map(shown), `${root}/IncomingPhoneNumbers.json`, query);
  });

  app.get<BySid>('/IncomingPhoneNumbers/:sid.json', async ({ params }) => shown(numbers.get(params.sid)));

  app.post<BySid & { Body: Form }>('/IncomingPhoneNumbers/:sid.json', async ({ params, body }) =>
    shown(numbers.change(params.sid, body)),
  );

  app.delete<BySid>('/IncomingPhoneNumbers/:sid.json', async ({ params: { sid } }, reply) => {
    const { phoneNumber } = numbers.get(sid);
    const isFirst = released.size < released.add(sid).size;
    if (isFirst && scenarioOf(phoneNumber).releaseFails) throw new RestError(20500);
    numbers.release(sid);
    return reply.code(204).send();
  });
}

const CAPABILITIES = { voice: true, SMS: true, MMS: false };

const forSaleJson = ({ phoneNumber, country, region }: NumberForSale) => ({
  friendly_name: phoneNumber,
  phone_number: phoneNumber,
  lata: null,
  locality: null,
  rate_center: null,
  latitude: null,
  longitude: null,
  region,
  postal_code: null,
  iso_country: country,
  address_requirements: scenarioOf(phoneNumber).addressRequirements,
  beta: false,
  capabilities: CAPABILITIES,
});

const numberJson = (accountSid: string, number: OwnedNumber) => ({
  sid: number.sid,
  account_sid: accountSid,
  address_sid: null,
  address_requirements: scenarioOf(number.phoneNumber).addressRequirements,
  api_version: '2010-04-01',
  beta: false,
  bundle_sid: null,
  capabilities: { voice: true, sms: true, mms: false, fax: false },
  date_created: rfc2822(new Date(number.createdAt)),
  date_updated: rfc2822(new Date(number.updatedAt)),
  emergency_address_sid: null,
  emergency_address_status: 'unregistered',
  emergency_status: 'Inactive',
  friendly_name: number.phoneNumber,
  identity_sid: null,
  origin: 'twilio',
  phone_number: number.phoneNumber,
  sms_application_sid: null,
  sms_fallback_method: 'POST',
  sms_fallback_url: '',
  sms_method: 'POST',
  sms_url: number.smsUrl ?? '',
  status: 'in-use',
  status_callback: number.statusCallback ?? '',
  status_callback_method: 'POST',
  trunk_sid: null,
  type: numberForSale(number.phoneNumber).list.toLowerCase(),
  uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${number.sid}.json`,
  voice_application_sid: null,
  voice_caller_id_lookup: false,
  voice_fallback_method: 'POST',
  voice_fallback_url: number.voiceFallbackUrl ?? '',
  voice_method: 'POST',
  voice_receive_mode: 'voice',
  voice_url: number.voiceUrl ?? '',
});
