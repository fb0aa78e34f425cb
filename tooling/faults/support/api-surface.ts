import type { AccountResources } from '../../../test/support/route.types.js';
import { ROUTES } from '../../../test/support/routes.js';
import type { OpenApi, Operation, Schema } from '../../../test/support/contract.js';
import { openApi, resolve } from '../../../test/support/contract.js';

type Body = Record<string, unknown>;

/** A route of the API. */
export interface Endpoint {
  /** Method and path template. */
  name: string;
  method: string;
  /** Path parameters are in braces. */
  path: string;
  /** Names of the declared query parameters. */
  query: string[];
  /** Fields of the body; empty without a body. */
  fields: string[];
  takesForm: boolean;
  documented: boolean;
  /** A valid body, except for ids and numbers that are in use. */
  body(resources: AccountResources): Body;
  /** The id for the path; 1 when the account has no such resource. */
  id(resources: AccountResources): number;
}

/** Routes that are not in the OpenAPI document; `unknown` is a path without a route. */
const UNDOCUMENTED: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/telephony/incoming'],
  ['POST', '/telephony/status'],
  ['POST', '/telephony/status/{token}'],
  ['POST', '/telephony/answer/{token}'],
  ['POST', '/telephony/action/{token}'],
  ['POST', '/telephony/amd/{token}'],
  ['POST', '/telephony/recording/{token}'],
  ['POST', '/telephony/sms-status/{token}'],
  ['GET', '/telephony/relay/{token}'],
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/docs-json'],
  ['GET', '/docs-yaml'],
  ['GET', '/docs/swagger-ui-bundle.js'],
  ['GET', '/docs/swagger-ui.css'],
  ['GET', '/docs/swagger-ui-init.js'],
  ['GET', '/docs/{file}'],
  ['GET', '/health/live'],
  ['GET', '/health/ready'],
  ['GET', '/metrics'],
  ['GET', '/unknown'],
  ['POST', '/unknown'],
  ['POST', '/api/unknown'],
  ['OPTIONS', '/api/user/leads'],
  ['OPTIONS', '/unknown'],
  ['HEAD', '/api/user/leads'],
  ['PATCH', '/api/user/lead'],
];

/** All routes of the running service, the undocumented ones first. */
export async function endpoints(): Promise<Endpoint[]> {
  const document = await openApi();
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      // A stream of events ends when its client disconnects: a request that waits for the whole response never ends.
      .filter(([, { responses }]) => !responses['200']?.content?.['text/event-stream'])
      .map(([method, operation]) => documentedEndpoint(document, method, path, operation)),
  );
  return [...UNDOCUMENTED.map(([method, path]) => plainEndpoint(method, path)), ...documented];
}

const plainEndpoint = (method: string, path: string): Endpoint => ({
  name: `${method} ${path}`,
  method,
  path,
  query: [],
  fields: [],
  takesForm: path.startsWith('/telephony'),
  documented: false,
  body: () => ({}),
  id: () => 1,
});

function documentedEndpoint(document: OpenApi, method: string, path: string, operation: Operation): Endpoint {
  const content = operation.requestBody?.content ?? {};
  const [type = '', media] = Object.entries(content)[0] ?? [];
  const schema = media ? follow(media.schema, document) : {};
  const route = ROUTES[operation.operationId];
  return {
    ...plainEndpoint(method.toUpperCase(), path),
    query: (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name),
    fields: Object.keys((schema.properties as Schema | undefined) ?? {}),
    takesForm: type.includes('form'),
    documented: true,
    body: (resources) =>
      media ? localOnly(route?.body?.(resources) ?? exampleOf(schema, document, resources)) : {},
    id: (resources) => (route?.resource ? (resources.ids[route.resource] ?? 1) : 1),
  };
}

/** Port 9 on loopback: requests that the service sends stay on this machine. */
const localOnly = (body: Body): Body =>
  JSON.parse(JSON.stringify(body).replaceAll(/https?:\/\/[^"]*/g, 'http://127.0.0.1:9/hook')) as Body;

function exampleOf(schema: Schema, document: OpenApi, resources: AccountResources): Body {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const entries = Object.entries(properties).map(([name, property]) => {
    return [name, idOf(name, resources) ?? valueOf(follow(property, document))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Body;
}

function idOf(field: string, { ids }: AccountResources): number | undefined {
  const resource = /^(\w+)_id$/.exec(field)?.[1] as keyof AccountResources['ids'] | undefined;
  return resource === undefined ? undefined : ids[resource];
}

function valueOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'array') return [];
  if (schema.type === 'object') return {};
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? 'text' : 1;
}

function follow(schema: Schema, document: OpenApi): Schema {
  const parts = [schema, ...((schema.allOf as Schema[] | undefined) ?? [])];
  const ref = parts.map(({ $ref }) => $ref).find((candidate) => typeof candidate === 'string');
  return ref === undefined ? schema : resolve(ref, document);
}
