import type { Journal } from '../journal.js';
import { optionalUrl, type Form } from './form.js';
import { numberForSale } from './numbers-for-sale.js';
import { RestError } from './rest-error.js';
import { newSid } from './sids.js';

export interface OwnedNumber {
  readonly sid: string;
  readonly phoneNumber: string;
  readonly country: string;
  readonly createdAt: string;
  updatedAt: string;
  voiceUrl: string | null;
  voiceFallbackUrl: string | null;
  statusCallback: string | null;
  smsUrl: string | null;
}

type Urls = Pick<OwnedNumber, 'voiceUrl' | 'voiceFallbackUrl' | 'statusCallback' | 'smsUrl'>;

const URL_FIELDS: Record<keyof Urls, string> = {
  voiceUrl: 'VoiceUrl',
  voiceFallbackUrl: 'VoiceFallbackUrl',
  statusCallback: 'StatusCallback',
  smsUrl: 'SmsUrl',
};

const NONE: Urls = { voiceUrl: null, voiceFallbackUrl: null, statusCallback: null, smsUrl: null };

/** The account's numbers; they survive a restart of the carrier. */
export class OwnedNumbers {
  private readonly bySid = new Map<string, OwnedNumber>();
  private readonly byNumber = new Map<string, OwnedNumber>();

  constructor(private readonly journal: Journal) {
    for (const entry of journal.all()) {
      if (entry.kind !== 'number') continue;
      if (entry['what'] === 'released') this.remove(entry.sid);
      else this.add(entry['number'] as OwnedNumber);
    }
  }

  /** Newest first. */
  all(): OwnedNumber[] {
    return [...this.bySid.values()].reverse();
  }

  withNumber(phoneNumber: string): OwnedNumber | undefined {
    return this.byNumber.get(phoneNumber);
  }

  /** @throws RestError 20404 */
  get(sid: string): OwnedNumber {
    const number = this.bySid.get(sid);
    if (!number) throw new RestError(20404);
    return number;
  }

  /** @throws RestError for a number that is not for sale */
  buy(phoneNumber: string, form: Form): OwnedNumber {
    const { country } = numberForSale(phoneNumber);
    if (this.byNumber.has(phoneNumber)) throw new RestError(21422);
    const now = new Date().toISOString();
    const number = {
      sid: newSid('PN'),
      phoneNumber,
      country,
      createdAt: now,
      updatedAt: now,
      ...NONE,
      ...urlsIn(form),
    };
    this.add(number);
    this.write('bought', number);
    return number;
  }

  change(sid: string, form: Form): OwnedNumber {
    const number = Object.assign(this.get(sid), urlsIn(form), { updatedAt: new Date().toISOString() });
    this.write('changed', number);
    return number;
  }

  release(sid: string): void {
    const number = this.get(sid);
    this.remove(sid);
    this.write('released', number);
  }

  private add(number: OwnedNumber): void {
    this.bySid.set(number.sid, number);
    this.byNumber.set(number.phoneNumber, number);
  }

  private remove(sid: string): void {
    const number = this.bySid.get(sid);
    if (!number) return;
    this.bySid.delete(sid);
    this.byNumber.delete(number.phoneNumber);
  }

  private write(what: 'bought' | 'changed' | 'released', number: OwnedNumber): void {
    const { sid, phoneNumber } = number;
    this.journal.write('number', { sid, from: '', to: phoneNumber }, { what, number });
  }
}

/** The URLs of a form. */
function urlsIn(form: Form): Partial<Urls> {
  const named = Object.entries(URL_FIELDS).filter(([, field]) => form[field] !== undefined);
  return Object.fromEntries(named.map(([name, field]) => [name, optionalUrl(form, field)]));
}
