/** Loaded before the service: a carrier that is given every message twice. */
import 'reflect-metadata';
import { TwilioCarrier } from '#src/modules/telephony/twilio/twilio-carrier.js';

const { sendSms } = TwilioCarrier.prototype;
TwilioCarrier.prototype.sendSms = async function (request) {
  await sendSms.call(this, request).catch(() => undefined);
  return sendSms.call(this, request);
};
