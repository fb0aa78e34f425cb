import { applyDecorators, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { NotFound } from '../errors/api-error.js';
import { MAX_ID } from '../validation/fields.js';

@Injectable()
class PathIdPipe implements PipeTransform<string, number> {
  constructor(private readonly missing: new () => NotFound) {}

  transform(value: string): number {
    const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : NaN;
    if (id <= MAX_ID) return id;
    throw new this.missing();
  }
}

/** The path's `id`; one that no row can have answers like one that does not exist. */
export const PathId = (missing: new () => NotFound): ParameterDecorator =>
  Param('id', new PathIdPipe(missing));

/** Documents the path's `id`. */
export const ApiPathId = (): MethodDecorator =>
  applyDecorators(
    ApiParam({ name: 'id', required: true, schema: { type: 'integer', minimum: 1, maximum: MAX_ID } }),
  );
