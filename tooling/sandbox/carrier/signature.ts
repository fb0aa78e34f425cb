import { createHmac } from 'node:crypto';

/** X-Twilio-Signature: HMAC-SHA1 over the URL followed by the sorted form fields, key and value joined. */
export function signRequest(authToken: string, url: string, params: Record<string, string> = {}): string {
  const signed = Object.keys(params)
    .sort()
    .reduce((text, key) => text + key + params[key], url);
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
