import type {
  LocalInstance,
  LocalListInstancePageOptions,
} from 'twilio/lib/rest/api/v2010/account/availablePhoneNumberCountry/local.js';
import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';
import type { AvailableNumber, CarrierNumber, NumberType } from '../carrier-numbers.js';
import type { TwilioClient } from './twilio-request-client.js';

/** The instances of all lists have the same fields. */
type Listed = Pick<LocalInstance, 'phoneNumber' | 'isoCountry' | 'addressRequirements' | 'capabilities'>;
type Country = ReturnType<TwilioClient['availablePhoneNumbers']>;
type Options = Pick<LocalListInstancePageOptions, 'contains' | 'voiceEnabled' | 'pageSize'>;

/** The carrier's lists of numbers for sale. */
const LISTS: Record<NumberType, (country: Country, options: Options) => Promise<{ instances: Listed[] }>> = {
  local: (country, options) => country.local.page(options),
  mobile: (country, options) => country.mobile.page(options),
  toll_free: (country, options) => country.tollFree.page(options),
};

/** One page of a list. @throws the carrier's 404 where the country has no numbers of the type */
export const listNumbersForSale = async (
  country: Country,
  type: NumberType,
  options: Options,
): Promise<Listed[]> => (await LISTS[type](country, options)).instances;

export const toAvailableNumber = (number: Listed, type: NumberType): AvailableNumber => ({
  phoneNumber: number.phoneNumber,
  countryCode: number.isoCountry,
  type,
  smsCapable: canSendSms(number.capabilities),
  addressRequirements: toRequirements(number.addressRequirements),
});

type Urls = Partial<
  Pick<IncomingPhoneNumberInstance, 'voiceUrl' | 'voiceFallbackUrl' | 'statusCallback' | 'smsUrl'>
>;
type Owned = Pick<IncomingPhoneNumberInstance, 'sid' | 'phoneNumber' | 'capabilities' | 'dateCreated'> & Urls;

/** @param urls the URLs of a number that is connected to this service */
export const toCarrierNumber = (number: Owned, urls: Required<Urls>): CarrierNumber => ({
  sid: number.sid,
  phoneNumber: number.phoneNumber,
  smsCapable: canSendSms(number.capabilities),
  isConnected: Object.entries(urls).every(([name, url]) => number[name as keyof Urls] === url),
  createdAt: number.dateCreated,
});

/** The SDK declares lower-case names; lists of numbers for sale have upper-case ones. */
const canSendSms = (capabilities: object | undefined): boolean =>
  Object.entries(capabilities ?? {}).some(([name, has]) => name.toLowerCase() === 'sms' && has === true);

const toRequirements = (text: string): AvailableNumber['addressRequirements'] =>
  text === 'any' || text === 'local' || text === 'foreign' ? text : 'none';
