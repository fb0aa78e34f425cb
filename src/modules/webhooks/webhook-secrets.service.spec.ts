import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { generateWebhookSecret, signWebhook } from './webhook-secrets.service.js';

const ID = 'msg_2f1c';
const BODY = '{"transcript":"AI: Grüß Gott 👋\\nCustomer: …"}';

/** One for the signature and its check, in seconds: between them a second may end. */
const NOW = Math.floor(Date.now() / 1000);

/** Verifies as a receiver would, with the reference library. */
function verify(
  secret: string,
  signature: string,
  changed: { id?: string; timestamp?: number; body?: string } = {},
) {
  const { id = ID, timestamp = NOW, body = BODY } = changed;
  return new Webhook(secret).verify(body, {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
}

describe('generateSecret', () => {
  it('returns whsec_ and 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 50 }, generateWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });
});

describe('sign', () => {
  const secret = generateWebhookSecret();

  it('returns the signature of a known message', () => {
    // Computed with openssl: printf 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…1f
    const known = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')}`;
    expect(signWebhook([known], 'msg_1', 1_700_000_000, '{"a":1}')).toBe(
      'v1,AMaOha7DUT/0J0JMycRuYOBSvbx3WtwLd2khXXbaVj4=',
    );
  });

  it('is accepted by the reference library', () => {
    expect(verify(secret, signWebhook([secret], ID, NOW, BODY))).toEqual(JSON.parse(BODY));
  });

  it('equals the signature of the reference library', () => {
    const theirs = new Webhook(secret).sign(ID, new Date(NOW * 1000), BODY);
    expect(signWebhook([secret], ID, NOW, BODY)).toBe(theirs);
  });

  it('is accepted with both secrets during a rotation, and with no other', () => {
    const next = generateWebhookSecret();
    const signature = signWebhook([next, secret], ID, NOW, BODY);
    expect(signature).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(verify(secret, signature)).toEqual(JSON.parse(BODY));
    expect(verify(next, signature)).toEqual(JSON.parse(BODY));
    expect(() => verify(generateWebhookSecret(), signature)).toThrow('No matching signature');
  });

  it.each([
    ['a changed byte of the body', { body: BODY.replace('👋', '👌') }],
    ['a blank after the body', { body: `${BODY} ` }],
    ['another id', { id: 'msg_2f1d' }],
    ['another timestamp', { timestamp: NOW - 2 }],
  ])('does not cover %s', (_what, changed) => {
    const signature = signWebhook([secret], ID, NOW, BODY);
    expect(() => verify(secret, signature, changed)).toThrow('No matching signature');
  });

  it('does not validate an expired timestamp', () => {
    const timestamp = NOW - 301;
    const signature = signWebhook([secret], ID, timestamp, BODY);
    expect(() => verify(secret, signature, { timestamp })).toThrow('too old');
  });
});
