export const NUMBER_TYPES = ['local', 'mobile', 'toll_free'] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

export interface NumberSearch {
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  /** Digits, letters and `*` for any digit; null: any number. */
  contains: string | null;
  /** Most numbers of each type. */
  limit: number;
}

/** A number that the carrier sells. */
export interface AvailableNumber {
  /** E.164 */
  phoneNumber: string;
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  type: NumberType;
  smsCapable: boolean;
  /** The person whose address the law requires; such a number may be refused. */
  addressRequirements: 'none' | 'any' | 'local' | 'foreign';
}

/** A number of the carrier's account. */
export interface CarrierNumber {
  sid: string;
  /** E.164 */
  phoneNumber: string;
  smsCapable: boolean;
  /** Calls and messages to it, and reports of their end, go to this service's public address. */
  isConnected: boolean;
  createdAt: Date;
}

/** Numbers of the carrier's account, and those that it sells. Requests throw `CarrierError` and nothing else. */
export abstract class CarrierNumbers {
  /** Numbers for sale that can be called; empty where the carrier sells none in the country. */
  abstract searchNumbers(search: NumberSearch): Promise<AvailableNumber[]>;
  /** Buys a number (E.164), with its calls and messages connected to this service. */
  abstract buyNumber(phoneNumber: string): Promise<CarrierNumber>;
  /** @returns null when the number (E.164) is not one of the account. */
  abstract findNumber(phoneNumber: string): Promise<CarrierNumber | null>;
  /** All numbers of the account. */
  abstract listNumbers(): Promise<CarrierNumber[]>;
  /** Sends calls and messages of a number, and reports of their end, to this service's public address. */
  abstract connectNumber(sid: string): Promise<void>;
  /** Releases a number. Without effect for a number that the account no longer has. */
  abstract releaseNumber(sid: string): Promise<void>;
}
