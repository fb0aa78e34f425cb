import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiNotFoundResponse, ApiParam } from '@nestjs/swagger';
import type { NotFound } from '#src/common/errors/api-error.js';
import { MAX_ID } from '#src/common/validation/fields.js';
import { MessageAndErrorResponse, MessageResponse } from './message.response.js';

/** Ids are integers from 1 to `MAX_ID`, written without anything else. */
@Injectable()
export class PathIdPipe implements PipeTransform<string, number> {
  constructor(private readonly missing: new () => NotFound) {}

  transform(value: string): number {
    const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : NaN;
    if (id <= MAX_ID) return id;
    throw new this.missing();
  }
}

/**
 * An id in the path, documented with its 404. A value that no row can have answers like an id that does not exist.
 *
 * @param name the path's parameter, for nested resources such as `leads/:leadId/reminders/:id`
 */
export const PathId =
  (missing: new () => NotFound, name = 'id'): ParameterDecorator =>
  (target, key, index) => {
    Param(name, new PathIdPipe(missing))(target, key, index);
    if (key === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(target, key);
    if (!handler) return;
    const schema = { type: 'integer', minimum: 1, maximum: MAX_ID };
    ApiParam({ name, required: true, schema })(target, key, handler);
    const { message, body } = new missing();
    const type = 'error' in body ? MessageAndErrorResponse : MessageResponse;
    ApiNotFoundResponse({ type, description: message })(target, key, handler);
  };
