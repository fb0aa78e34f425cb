/** Planted defect: every message is sent twice. */
import 'reflect-metadata';
import { TwilioCarrierService } from '#src/modules/telephony/twilio/twilio-carrier.service.js';

const { sendSms } = TwilioCarrierService.prototype;
TwilioCarrierService.prototype.sendSms = async function (request) {
  await sendSms.call(this, request).catch(() => undefined);
  return sendSms.call(this, request);
};
