/** Planted defect: every call is placed twice. */
import 'reflect-metadata';
import { TwilioCarrierService } from '#src/modules/telephony/twilio/twilio-carrier.service.js';

const { placeCall } = TwilioCarrierService.prototype;
TwilioCarrierService.prototype.placeCall = async function (request) {
  await placeCall.call(this, request).catch(() => undefined);
  return placeCall.call(this, request);
};
