import { resolve, type OpenApi, type Schema } from './contract.js';

export interface FieldCase {
  title: string;
  field: string;
  /** Undefined: the field is missing. */
  value: unknown;
  /** Whether the field must be accepted. */
  accepted: boolean;
  /** The documented message of this case. */
  message?: string;
}

const WRONG: Record<string, unknown[]> = {
  string: [12, true, [], {}],
  integer: ['abc', '5abc', ' 5', 1.5, true, [], {}, 1e20],
  number: ['abc', '5abc', true, [], {}],
  boolean: ['yes', 'true', 2, [], {}],
  array: ['x', 5, {}],
  object: ['x', 5, []],
};

/** Cases for each field of a body: missing, null, of a wrong type, at and beyond its limits. */
export function fieldCases(schema: Schema, document: OpenApi): FieldCase[] {
  const { properties = {}, required = [] } = flatten(schema, document);
  return Object.entries(properties).flatMap(([field, property]) =>
    casesOf(field, flatten(property, document), required.includes(field)),
  );
}

/**
 * The first case of every field together, then the second of every field, and so on.
 *
 * @param most fields of a round; a round with more becomes several
 */
export function inRounds(cases: readonly FieldCase[], most = Infinity): FieldCase[][] {
  const rounds: FieldCase[][] = [];
  const seen = new Map<string, number>();
  for (const one of cases) {
    const index = seen.get(one.field) ?? 0;
    seen.set(one.field, index + 1);
    (rounds[index] ??= []).push(one);
  }
  return rounds.flatMap((round) =>
    round.length <= most
      ? [round]
      : Array.from({ length: Math.ceil(round.length / most) }, (_, part) =>
          round.slice(part * most, (part + 1) * most),
        ),
  );
}

interface Flat extends Schema {
  properties?: Record<string, Schema>;
  required?: string[];
}

function flatten(schema: Schema, document: OpenApi): Flat {
  if (typeof schema.$ref === 'string') return flatten(resolve(schema.$ref, document), document);
  if (!Array.isArray(schema.allOf)) return schema;
  return Object.assign({}, schema, ...schema.allOf.map((part: Schema) => flatten(part, document))) as Flat;
}

function casesOf(field: string, schema: Flat, required: boolean): FieldCase[] {
  const words = field.replaceAll('_', ' ');
  const type = String(schema.type);
  const takesLists = type === 'object' && field === 'variables';
  const accepts = (value: unknown, title: string): FieldCase => ({ title, field, value, accepted: true });
  const refuses = (value: unknown, title: string, message?: string): FieldCase => ({
    title,
    field,
    value,
    accepted: false,
    message,
  });
  const requiredText = required ? `The ${words} field is required.` : undefined;
  return [
    required ? refuses(undefined, 'missing', requiredText) : accepts(undefined, 'missing'),
    schema.nullable ? accepts(null, 'null') : refuses(null, 'null', requiredText),
    // A list of objects is merged where variables are asked.
    ...(takesLists ? [accepts([], '[]'), accepts([{ a: 1 }, { b: 2 }], 'a list of objects')] : []),
    ...(takesLists ? ['x', 5, [1], [[]]] : (WRONG[type] ?? [])).map((value) =>
      refuses(value, `${JSON.stringify(value)} for ${type}`),
    ),
    ...bounds(schema, type).map(({ value, accepted, title }) =>
      accepted ? accepts(value, title) : refuses(value, title),
    ),
    ...(required ? [refuses('', 'empty', requiredText)] : schema.nullable ? [accepts('', 'empty')] : []),
    ...(Array.isArray(schema.enum) ? [refuses('no-such-value', 'not in the list')] : []),
  ];
}

function bounds(
  { minimum, maximum, minLength, maxLength, pattern, format, enum: values }: Flat,
  type: string,
) {
  const cases: { value: unknown; accepted: boolean; title: string }[] = [];
  const isNumber = type === 'integer' || type === 'number';
  const step = type === 'integer' ? 1 : 0.01;
  if (isNumber && typeof minimum === 'number') {
    cases.push({ value: minimum - step, accepted: false, title: 'below the minimum' });
    cases.push({ value: minimum, accepted: true, title: 'at the minimum' });
  }
  if (isNumber && typeof maximum === 'number') {
    cases.push({ value: maximum, accepted: true, title: 'at the maximum' });
    cases.push({ value: maximum + step, accepted: false, title: 'past the maximum' });
  }
  if (type === 'string' && !values && !format) {
    if (typeof maxLength === 'number') {
      if (!pattern || new RegExp(String(pattern)).test('a'.repeat(maxLength))) {
        cases.push({ value: 'a'.repeat(maxLength), accepted: true, title: 'at the longest' });
      }
      cases.push({ value: 'a'.repeat(maxLength + 1), accepted: false, title: 'too long' });
    }
    if (typeof minLength === 'number' && minLength > 1) {
      cases.push({ value: 'a'.repeat(minLength), accepted: true, title: 'at the shortest' });
      cases.push({ value: 'a'.repeat(minLength - 1), accepted: false, title: 'too short' });
    }
  }
  return cases;
}
