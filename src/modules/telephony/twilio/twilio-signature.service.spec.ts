import { describe, expect, it } from '@jest/globals';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import type { TelephonySettings } from '../telephony-settings.js';
import { TwilioSignatureService } from './twilio-signature.service.js';

const TOKEN = 'token';
const FORM = { To: '+15005550006', MessageStatus: ['sent', 'sent'] };

describe('TwilioSignatureService', () => {
  const service = new TwilioSignatureService({ authToken: TOKEN } as TelephonySettings);
  const sign = (url: string, token = TOKEN): string => getExpectedTwilioSignature(token, url, FORM);

  it.each([
    ['https://voice.example.com/telephony/a', 'https://voice.example.com/telephony/a'],
    ['http://127.0.0.1:3000/telephony/a', 'http://127.0.0.1:3000/telephony/a'],
    // The carrier leaves the port out or adds it.
    ['https://voice.example.com:8443/telephony/a', 'https://voice.example.com/telephony/a'],
    ['https://voice.example.com/telephony/a', 'https://voice.example.com:443/telephony/a'],
  ])('accepts for %s a signature for %s', (url, signed) => {
    expect(service.isValid(sign(signed), url, FORM)).toBe(true);
  });

  it.each([
    ['of another path', sign('https://voice.example.com/telephony/b')],
    ['of another token', sign('https://voice.example.com/telephony/a', 'other')],
    ['cut short', sign('https://voice.example.com/telephony/a').slice(0, -1)],
    ['empty', ''],
  ])('refuses a signature that is %s', (_what, signature) => {
    expect(service.isValid(signature, 'https://voice.example.com/telephony/a', FORM)).toBe(false);
  });

  it('refuses any signature of an invalid URL', () => {
    expect(service.isValid(sign('/telephony/b'), '/telephony/a', FORM)).toBe(false);
  });
});
