import twilio from 'twilio';
import type { TelephonySettings } from '../telephony-settings.js';
import { TwilioRequestClient } from './twilio-request-client.js';

export type TwilioClient = ReturnType<typeof createTwilioClient>;

/** In a file of its own, so that the SDK is loaded with the first request and not at start. */
export const createTwilioClient = (settings: TelephonySettings, timeoutMs?: number) =>
  twilio(settings.accountSid, settings.authToken, {
    httpClient: new TwilioRequestClient(settings, timeoutMs),
  });
