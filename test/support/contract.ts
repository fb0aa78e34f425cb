import { Ajv2019 as Ajv, type ValidateFunction } from 'ajv/dist/2019.js';
import { baseUrl } from './client-base.js';

export type Schema = Record<string, unknown>;

export interface Operation {
  operationId: string;
  security?: object[];
  'x-required-scope'?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let loading: Promise<OpenApi> | undefined;

/** The OpenAPI document of the service under test. */
export function openApi(): Promise<OpenApi> {
  loading ??= fetch(`${baseUrl()}/docs-json`).then((response) => response.json() as Promise<OpenApi>);
  return loading;
}

/**
 * Test files do not check the schemas themselves, for which each would compile the schema of schemas: a fifth of a
 * second of CPU time. documentation.e2e.ts does it once. Most validators run a few times: optimizing their code costs
 * as much as compiling it.
 */
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  code: { optimize: false },
});
/** By the text of the schema, which many operations have in common. */
const validators = new Map<string, ValidateFunction>();

/** Validates an answer against the OpenAPI document. @returns the problem, or null */
export async function contractProblem(method: string, path: string, status: number, body: unknown) {
  const document = await openApi();
  const template = templateOf(path, document);
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  if (!operation) return null;
  const answer = operation.responses[String(status)];
  if (!answer) return `${method} ${template} answers ${status}, which the document does not know`;
  const schema = answer.content?.['application/json']?.schema;
  if (!schema) return null;
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.compile(toJsonSchema(schema, document) as Schema);
  validators.set(key, validate);
  return validate(body)
    ? null
    : `${method} ${template} ${status}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 500)}`;
}

/** Patterns of the document's paths, those without parameters first. */
let patterns: [RegExp, string][] | undefined;

function templateOf(asked: string, { paths }: OpenApi): string | undefined {
  patterns ??= Object.keys(paths)
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .map((template) => [new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`), template]);
  const [path = ''] = asked.split('?');
  return patterns.find(([pattern]) => pattern.test(path))?.[1];
}

/** Resolves references and closes objects: an undocumented field is a problem. */
export function toJsonSchema(schema: unknown, document: OpenApi, closed = true): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toJsonSchema(item, document, closed));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, $ref, allOf, oneOf, properties, items, ...rest } = schema as Schema;
  if (typeof $ref === 'string') return toJsonSchema(resolve($ref, document), document, closed);
  const result: Schema = { ...rest };
  if (allOf) result.allOf = toJsonSchema(allOf, document, false);
  if (oneOf) result.oneOf = toJsonSchema(oneOf, document, closed);
  if (properties) {
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toJsonSchema(property, document)]),
    );
  }
  if (items) result.items = toJsonSchema(items, document);
  if (closed && (properties || allOf) && rest.additionalProperties === undefined)
    result.unevaluatedProperties = false;
  if (nullable !== true) return result;
  if (Array.isArray(rest.enum)) result.enum = [...rest.enum, null];
  // Null meets no schema of `allOf`.
  const isPlain = result.type !== undefined && allOf === undefined;
  return isPlain ? { ...result, type: [result.type, 'null'] } : { anyOf: [result, { type: 'null' }] };
}

export function resolve(ref: string, document: OpenApi): Schema {
  return document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
}
