/** Planted defect: the error for a missing message has the framework's format, not the API's. */
import 'reflect-metadata';
import { NotFound } from '#src/common/errors/api-error.js';
import { SmsService } from '#src/modules/sms/sms.service.js';

const { getSms } = SmsService.prototype;

SmsService.prototype.getSms = async function (userId: number, id: number) {
  try {
    return await getSms.call(this, userId, id);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const answer = new NotFound(`Cannot GET /api/user/sms/${id}`);
    throw Object.assign(answer, { body: { error: 'Not Found', statusCode: 404 } });
  }
};
