/** Loaded before the service: a carrier that is asked twice for every call. */
import 'reflect-metadata';
import { TwilioCarrier } from '#src/modules/telephony/twilio/twilio-carrier.js';

const { placeCall } = TwilioCarrier.prototype;
TwilioCarrier.prototype.placeCall = async function (request) {
  await placeCall.call(this, request).catch(() => undefined);
  return placeCall.call(this, request);
};
