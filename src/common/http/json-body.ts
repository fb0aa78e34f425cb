import type { FastifyInstance } from 'fastify';
import { BadRequest, Invalid, type FieldErrors } from '../errors/api-error.js';
import { fieldMessage } from '../validation/field-rules.js';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Free-form objects may be 16 deep; the rest is room for what they stand in. */
const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

/**
 * Reads JSON bodies: an empty one counts as `{}`; what would break later steps (deep nesting, NUL, lone
 * surrogates) is refused here, before anything is transformed.
 */
export function registerJsonBody(fastify: FastifyInstance): void {
  // Fastify would also read plain text; every type that nobody registers is a 415.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (_request, text, done) => {
      try {
        done(null, parseJsonBody(text.toString()));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

export function parseJsonBody(text: string): object {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new BadRequest('The request body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequest('The request body must be a JSON object.');
  }
  refuseUnstorable(body);
  return body;
}

interface Visit {
  value: object;
  path: string;
  depth: number;
}

/** Iterative, so that no nesting can overflow the stack. */
function refuseUnstorable(body: object): void {
  const errors: FieldErrors = {};
  const stack: Visit[] = [{ value: body, path: '', depth: 1 }];
  let values = 0;
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    if (visit.depth > MAX_DEPTH) throw new BadRequest('The request body is nested too deeply.');
    for (const [key, value] of Object.entries(visit.value)) {
      if (++values > MAX_VALUES) throw new BadRequest('The request body has too many values.');
      const path = visit.path ? `${visit.path}.${key}` : key;
      if (typeof value === 'object' && value !== null) stack.push({ value, path, depth: visit.depth + 1 });
      if (isUnstorable(key) || (typeof value === 'string' && isUnstorable(value))) {
        errors[printable(path)] = [fieldMessage(printable(key), 'contains invalid characters')];
      }
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

const printable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** Text that Postgres cannot keep: NUL, and surrogates without their other half. */
export const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
