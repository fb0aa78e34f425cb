import { isDeepStrictEqual } from 'node:util';
import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { coerceNumber, isObject } from '#src/common/validation/field-rules.js';
import { WithRouteConfig, type IgnoredFields } from './route-config.js';

export const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';
/** Of an operation: names of the fields that it takes and does not use. */
export const IGNORED_FIELDS_EXTENSION = 'x-ignored-fields';

/** The route takes these fields without using them. Its response lists those with a value, separated by commas. */
export const IgnoresFields = (ignoredFields: IgnoredFields): MethodDecorator =>
  applyDecorators(
    WithRouteConfig({ ignoredFields }),
    ApiExtension(IGNORED_FIELDS_EXTENSION, Object.keys(ignoredFields)),
  );

/** Names the ignored fields of every request that succeeds, also of one that is replayed for its key. */
export function reportIgnoredFields(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply) => {
    const { ignoredFields } = request.routeOptions.config;
    if (ignoredFields && reply.statusCode < 300) {
      const names = ignoredFieldNames(request.body, ignoredFields);
      if (names.length > 0) reply.header(IGNORED_FIELDS_HEADER, names.join(', '));
    }
  });
}

/** In the order of `fields`. */
export function ignoredFieldNames(body: unknown, fields: IgnoredFields): string[] {
  if (!isObject(body)) return [];
  return Object.entries(fields).flatMap(([name, { default: byDefault, parts }]) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (parts) return parts(value);
    return isEmptyValue(value) || isDefault(value, byDefault) ? [] : [name];
  });
}

/** Absent, null, false, zero, an empty text, and lists and objects of nothing else. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return value.trim() === '' || coerceNumber(value) === 0;
  if (typeof value === 'object') return Object.values(value).every(isEmptyValue);
  return value === 0;
}

/** Forms write numbers and booleans as text. */
const isDefault = (value: unknown, byDefault: unknown): boolean =>
  isDeepStrictEqual(value, byDefault) ||
  (typeof byDefault === 'number' && coerceNumber(value) === byDefault) ||
  (byDefault === true && (value === 1 || value === '1'));
