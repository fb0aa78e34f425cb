import type { SchemaNode } from './chat-request.js';

export type Fill = (name: string, schema: SchemaNode, type: string) => unknown;

/** An object for the schema: `fill` returns each leaf, null is used only where the schema allows it. */
export function fillObject(schema: SchemaNode, fill: Fill): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {});
  // Own properties by definition: a field may be named `__proto__`.
  return Object.fromEntries(entries.map(([name, property]) => [name, fillValue(name, property, fill)]));
}

function fillValue(name: string, schema: SchemaNode, fill: Fill): unknown {
  const described = flatten(schema);
  const type = typesOf(described).find((one) => one !== 'null') ?? 'string';
  if (type === 'object') return fillObject(described, fill);
  if (type === 'array') {
    const item = described.items === undefined ? null : fillValue(name, described.items, fill);
    return item === null ? [] : [item];
  }
  const value = fill(name, described, type);
  if (value !== null || isNullable(described)) return value;
  return described.enum?.[0] ?? { boolean: false, number: 0, integer: 0 }[type] ?? '';
}

export function isNullable(schema: SchemaNode): boolean {
  return schema.nullable === true || typesOf(schema).includes('null');
}

function typesOf(schema: SchemaNode): string[] {
  return [schema.type ?? []].flat();
}

/** `anyOf: [{type: 'string'}, {type: 'null'}]` is equivalent to `type: ['string', 'null']`. */
function flatten(schema: SchemaNode): SchemaNode {
  if (schema.anyOf === undefined) return schema;
  const { anyOf, ...rest } = schema;
  return { ...Object.assign({}, ...anyOf), ...rest, type: anyOf.flatMap(typesOf) };
}
