/** Planted defect: the status for a missing call is 400 in place of 404. */
import 'reflect-metadata';
import { BadRequest, NotFound } from '#src/common/errors/api-error.js';
import { CallsService } from '#src/modules/calls/calls.service.js';

const { getCall } = CallsService.prototype;

CallsService.prototype.getCall = async function (userId: number, id: number) {
  try {
    return await getCall.call(this, userId, id);
  } catch (error) {
    throw error instanceof NotFound ? new BadRequest(error.message) : error;
  }
};
