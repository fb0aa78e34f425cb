import type { FastifyInstance } from 'fastify';
import {
  BadRequest,
  Invalid,
  MAX_FIELD_ERRORS,
  MAX_FIELD_PATH,
  type FieldErrors,
} from '#src/common/errors/api-error.js';
import { isUnstorable } from '#src/common/persistence/storable.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Free-form objects may be 16 deep; the rest is for the objects around them. */
const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

/**
 * Reads JSON bodies: an empty one counts as `{}`; content that would break later steps (deep nesting, NUL, lone
 * surrogates) is refused here, before it is transformed.
 */
export function registerJsonBody(fastify: FastifyInstance): void {
  // Fastify would also read plain text; every type that nobody registers is a 415.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (request, text, done) => {
      try {
        const { invalidMessage } = request.routeOptions.config;
        done(null, parseJsonBody(text.toString(), invalidMessage));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** @param invalidMessage of the error that names fields, where it is not the usual one */
export function parseJsonBody(text: string, invalidMessage?: string): object {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    // Some clients put a byte order mark in front.
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new BadRequest('The request body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequest('The request body must be a JSON object.');
  }
  refuseUnstorable(body, invalidMessage);
  return body;
}

interface Visit {
  value: object;
  /** Null for the body itself. */
  parent: Visit | null;
  /** Its key in the parent. */
  key: string;
  depth: number;
}

/**
 * Iterative, so that no nesting can overflow the stack. Paths are built only for the few errors that are reported: a
 * long key over thousands of bad values would else be copied for each of them.
 */
function refuseUnstorable(body: object, message?: string): void {
  const errors: FieldErrors = {};
  const stack: Visit[] = [{ value: body, parent: null, key: '', depth: 1 }];
  let told = 0;
  let values = 0;
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    if (visit.depth > MAX_DEPTH) throw new BadRequest('The request body is nested too deeply.');
    for (const [key, value] of Object.entries(visit.value)) {
      if (++values > MAX_VALUES) throw new BadRequest('The request body has too many values.');
      if (typeof value === 'object' && value !== null) {
        stack.push({ value, parent: visit, key, depth: visit.depth + 1 });
      }
      if (isUnstorable(key) || (typeof value === 'string' && isUnstorable(value))) {
        errors[pathOf(visit, key)] = [fieldMessage(printable(key), 'contains invalid characters')];
        if (++told === MAX_FIELD_ERRORS) throw new Invalid(errors, message);
      }
    }
  }
  if (told > 0) throw new Invalid(errors, message);
}

function pathOf(visit: Visit, key: string): string {
  const keys = [printable(key)];
  for (let at = visit; at.parent; at = at.parent) keys.unshift(printable(at.key));
  return keys.join('.').slice(0, MAX_FIELD_PATH);
}

const printable = (text: string): string => text.slice(0, MAX_FIELD_PATH).toWellFormed().replaceAll('\0', '');
