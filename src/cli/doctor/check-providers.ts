import { isSandboxCarrier, isSandboxModel } from '#src/config/production-rules.js';
import type { Settings } from '#src/config/settings.types.js';
import { ask, fail, ok, warn, type Verdict } from './finding.js';

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

export async function checkModel({
  model,
  carrier,
  production,
}: Pick<Settings, 'model' | 'carrier' | 'production'>): Promise<Verdict> {
  if (production && isSandboxModel(model, carrier)) {
    return warn(
      'the sandbox, by ALLOW_SANDBOX: answers from a script',
      'set LLM_API_KEY, and take ALLOW_SANDBOX away',
    );
  }
  if (model === null) return ok('the sandbox: answers from a script');
  const { status, error } = await ask(`${model.baseUrl}/models`, `Bearer ${model.apiKey}`);
  if (status === null)
    return fail(`cannot be reached (${error})`, 'open the way to it, or correct LLM_BASE_URL');
  if (status === 401 || status === 403) return fail(`refuses the key (${status})`, 'correct LLM_API_KEY');
  if (status === 404) {
    return warn('answers, but lists no models', 'see that LLM_BASE_URL ends where /chat/completions begins');
  }
  if (status >= 400) return fail(`answers with ${status}`, 'see the state of the model provider');
  return ok('accepts the key');
}
