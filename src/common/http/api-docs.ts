import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiTags,
  ApiUnauthorizedResponse,
  ApiUnprocessableEntityResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ErrorsResponse, MessageResponse } from './message.response.js';

/** What every controller of a domain says to the OpenAPI document. */
export const ApiResource = (tag: string): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ type: MessageResponse, description: 'No valid bearer token.' }),
  );

export const ApiNotFound = (message: string): MethodDecorator =>
  ApiNotFoundResponse({ type: MessageResponse, description: message });

export const ApiInvalid = (): MethodDecorator =>
  ApiUnprocessableEntityResponse({ type: ErrorsResponse, description: 'The request breaks a rule.' });

/** The schema of `{message, data}` or, without a message, `{data}`. */
export function dataSchema(type: Type, { message = false } = {}) {
  const data = { $ref: getSchemaPath(type) };
  return message
    ? { type: 'object', required: ['message', 'data'], properties: { message: { type: 'string' }, data } }
    : { type: 'object', required: ['data'], properties: { data } };
}

/** Documents an answer `{message, data}` or `{data}` of the given status. */
export const ApiData = (
  respond: (options: { schema: object }) => MethodDecorator,
  type: Type,
  options: { message?: boolean } = {},
): MethodDecorator => applyDecorators(ApiExtraModels(type), respond({ schema: dataSchema(type, options) }));
