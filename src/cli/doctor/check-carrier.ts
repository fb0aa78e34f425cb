import { isSandboxCarrier } from '#src/config/known-values.js';
import type { Settings } from '#src/config/settings.js';
import { ask } from './ask.js';
import { fail, ok, warn, type Verdict } from './finding.js';

const CARRIER_URL = 'https://api.twilio.com';

/** Asks for the account itself, with its calls of one page of one: costs nothing and moves nothing. */
export async function checkCarrier({
  carrier,
  production,
}: Pick<Settings, 'carrier' | 'production'>): Promise<Verdict> {
  if (production && isSandboxCarrier(carrier)) {
    return warn(
      'the sandbox, by ALLOW_SANDBOX: no call is made, no message is sent, accounts are charged',
      'set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, and take ALLOW_SANDBOX away',
    );
  }
  if (carrier === null) return ok('the sandbox: no real call is made');
  const { accountSid, authToken, apiUrl } = carrier;
  const url = `${apiUrl ?? CARRIER_URL}/2010-04-01/Accounts/${accountSid}/Calls.json?PageSize=1`;
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const { status, error } = await ask(url, `Basic ${basic}`);
  if (status === null) {
    return fail(`cannot be reached (${error})`, 'open the way to it, or correct TWILIO_API_URL');
  }
  if (status === 401 || status === 403) {
    return fail(`refuses the credentials (${status})`, 'correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN');
  }
  if (status >= 400)
    return fail(`answers with ${status}`, 'see the state of the carrier, or correct TWILIO_API_URL');
  return ok('accepts the credentials');
}
