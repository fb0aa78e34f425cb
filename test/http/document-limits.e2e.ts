import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Visitor } from '../factories/conversation.js';
import { openApi, resolve, type OpenApi, type Schema } from '../support/contract.js';

/** Places without a limit of their own, and what limits them. */
const EXCEPTIONS: Record<string, string> = {
  'createDocument body.file': 'a file, at most 20 MiB',
  'importLeads body.file': 'a file, at most 100 MiB',
  'importSuppressions body.file': 'a file, at most 100 MiB',
};
/** Their form limits their length. */
const BOUNDED_FORMATS = ['date', 'uuid'];

function unlimited(path: string, schema: Schema, document: OpenApi): string[] {
  if (typeof schema.$ref === 'string') return unlimited(path, resolve(schema.$ref, document), document);
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flat().filter((part) => part !== undefined);
  const here = isUnlimited(schema) && !(path in EXCEPTIONS) ? [path] : [];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return [
    ...here,
    ...parts.flatMap((part) => unlimited(path, part as Schema, document)),
    ...properties.flatMap(([name, property]) => unlimited(`${path}.${name}`, property, document)),
    ...(schema.items ? unlimited(`${path}[]`, schema.items as Schema, document) : []),
  ];
}

function isUnlimited({ type, enum: values, format, maxLength, maxItems, minimum, maximum }: Schema): boolean {
  if (type === 'string')
    return !values && maxLength === undefined && !BOUNDED_FORMATS.includes(String(format));
  if (type === 'array') return maxItems === undefined;
  if (type === 'integer' || type === 'number') return minimum === undefined || maximum === undefined;
  return false;
}

it('states a limit for every text, list and number that a request carries', async () => {
  const document = await openApi();
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const places = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...parameters.flatMap(({ name, schema }) => unlimited(`${operationId} ${name}`, schema, document)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      unlimited(`${operationId} body`, schema, document),
    ),
  ]);
  expect(operations.length).toBeGreaterThan(50);
  expect(places).toEqual([]);
});

it('documents 413 where a body is sent, the response to a long one', async () => {
  const { paths } = await openApi();
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const stated = operations.map(({ operationId, requestBody, responses }) => [
    operationId,
    '413' in (responses as object) === (requestBody !== undefined),
  ]);
  expect(stated.filter(([, isRight]) => !isRight)).toEqual([]);
  const { status } = await new Visitor().say(randomUUID(), 'x'.repeat(100_000));
  expect(status).toBe(413);
});
