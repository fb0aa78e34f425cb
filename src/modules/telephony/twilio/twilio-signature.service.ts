import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { CarrierForm } from './carrier-form.js';
import { TelephonySettings } from '../telephony-settings.js';

// The signature's own file: the package's main entry would load the whole SDK at start.

/** As Node names headers. */
export const SIGNATURE_HEADER = 'x-twilio-signature';

/** Verifies that a request is the carrier's (X-Twilio-Signature: HMAC-SHA1 over URL and form). */
@Injectable()
export class TwilioSignatureService {
  constructor(private readonly settings: TelephonySettings) {}

  /**
   * `url` is the one that the carrier has, scheme and host included. Compares in constant time. The unchanged URL is
   * tried first: the SDK tries it without its port before, and splits it for that.
   */
  isValid(signature: string | string[] | undefined, url: string, form: CarrierForm = {}): boolean {
    if (typeof signature !== 'string') return false;
    const { authToken } = this.settings;
    if (isEqual(signature, getExpectedTwilioSignature(authToken, url, form))) return true;
    return URL.canParse(url) && validateRequest(authToken, signature, url, form);
  }
}

function isEqual(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
