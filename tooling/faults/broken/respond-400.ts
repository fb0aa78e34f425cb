/** Planted defect: a call that does not exist is a 400 in place of a 404. */
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
