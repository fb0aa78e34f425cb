import type { TestAccount } from '../factories/account.js';

export interface Sms {
  id: number;
  phone_number_id: number;
  to: string;
  body: string;
  user_id: number;
  segments: number;
  segment_price: number;
  total_cost: number;
  status: string;
  sms_sid: string | null;
  created_at: string;
  updated_at: string;
}

export interface Sent {
  message: string;
  data: Sms;
}

/** The sandbox's people, by what becomes of a message to them. */
export const DELIVERED = '+15005550006';
export const UNDELIVERABLE = '+15005550007';
export const CARRIER_FAILS = '+15005550008';
export const NO_MOBILE = '+15005550009';
export const ANSWER_LOST = '+15005550010';

/** For a query, where a bare plus is a blank. */
export const plus = (number: string): string => encodeURIComponent(number);

export const balanceOf = async ({ client }: TestAccount): Promise<number> =>
  (await client.get<{ total_balance: number }>('/user/me')).body.total_balance;
