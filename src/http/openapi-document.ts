import type { OpenAPIObject } from '@nestjs/swagger';
import { IGNORED_FIELDS_EXTENSION, IGNORED_FIELDS_HEADER } from './ignored-fields.js';
import { requiredScope, type ScopeRouteConfig } from './scopes.js';

/**
 * Removes the defaults of creation from updates: a client that filled them in would reset the fields that it does not
 * change.
 */
export function removeUpdateDefaults(document: OpenAPIObject): OpenAPIObject {
  for (const { put } of Object.values(document.paths)) {
    const content = put?.requestBody && 'content' in put.requestBody ? put.requestBody.content : {};
    const schema = content['application/json']?.schema;
    if (!schema || !('$ref' in schema)) continue;
    const body = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    if (!body || !('properties' in body)) continue;
    for (const property of Object.values(body.properties ?? {}))
      if ('default' in property) delete property.default;
  }
  return document;
}

/** Removes null from query parameters: a query has no null, and an empty parameter counts as absent. */
export function removeQueryNulls(document: OpenAPIObject): OpenAPIObject {
  for (const { get } of Object.values(document.paths)) {
    for (const parameter of get?.parameters ?? []) {
      if ('schema' in parameter && parameter.schema && 'nullable' in parameter.schema) {
        delete parameter.schema.nullable;
      }
    }
  }
  return document;
}

/** Adds the `file` to the forms of operations that take JSON, too. */
export function documentUploads(document: OpenAPIObject): OpenAPIObject {
  for (const { post } of Object.values(document.paths)) {
    const content = post?.requestBody && 'content' in post.requestBody ? post.requestBody.content : {};
    const json = content['application/json']?.schema;
    if (!json || !content['multipart/form-data']) continue;
    const file = { type: 'object' as const, properties: { file: { type: 'string', format: 'binary' } } };
    content['multipart/form-data'] = { schema: { allOf: [json, file] } };
  }
  return document;
}

const INVALID_INPUT = {
  description: 'The request breaks a rule.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorsResponse' } } },
};

/** Adds the 422 to every operation with a body or a query: a field of it may be wrong. */
export function documentInvalidInput(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      const parameters = operation?.parameters ?? [];
      const hasQuery = parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
      if (operation?.requestBody || hasQuery) operation!.responses['422'] ??= INVALID_INPUT;
    }
  }
  return document;
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/**
 * A handler with several paths is described at the first one of the document. Its operations at the other ones name
 * that one, and have an id of their own, because ids must be unique.
 * @param prefix of all paths
 */
export function documentAliases(document: OpenAPIObject, prefix: string): OpenAPIObject {
  const first = new Map<string, string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation?.operationId) continue;
      const known = first.get(operation.operationId);
      if (known === undefined) {
        first.set(operation.operationId, `${method.toUpperCase()} ${path.slice(prefix.length)}`);
      } else {
        const { description: _, ...rest } = operation;
        item[method] = {
          ...rest,
          operationId: `${operation.operationId}Alias`,
          summary: `The same as ${known}`,
        };
      }
    }
  }
  return document;
}

/** An error response: `{message}` and further members. */
const errorResponse = (description: string, members: Record<string, object> = {}) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        required: ['message', ...Object.keys(members)],
        properties: { message: { type: 'string' as const }, ...members },
      },
    },
  },
});

const EVERYWHERE: Record<
  string,
  { name: string; response: ReturnType<typeof errorResponse>; ofBodies?: true }
> = {
  413: {
    name: 'PayloadTooLarge',
    response: errorResponse('The body is larger than the operation reads.'),
    ofBodies: true,
  },
  429: {
    name: 'TooManyRequests',
    response: errorResponse(
      'The token has used up its requests of this minute, or too many of the account wait; see `Retry-After`.',
      { retry_after: { type: 'integer', minimum: 1, description: 'Seconds.' } },
    ),
  },
  503: {
    name: 'ServiceUnavailable',
    response: errorResponse('The database is away, or its time limits ended the request; see `Retry-After`.'),
  },
};

/** Adds the 413 to every operation with a body, the 429 and the 503 to every operation. */
export function documentOverloadResponses(document: OpenAPIObject): OpenAPIObject {
  for (const [status, { name, response, ofBodies }] of Object.entries(EVERYWHERE)) {
    addResponses(document, { [name]: response });
    for (const path of Object.values(document.paths)) {
      for (const method of METHODS) {
        const operation = path[method];
        if (operation && (!ofBodies || operation.requestBody))
          operation.responses[status] ??= { $ref: `#/components/responses/${name}` };
      }
    }
  }
  return document;
}

/** The scope of an operation. `@Endpoint()` sets it, for most operations to `by-method`. */
export const SCOPE_EXTENSION = 'x-required-scope';

const MISSING_SCOPE = 'MissingScope';

/** Names the scope of every operation that needs a token, and adds the 403. */
export function documentScopes(document: OpenAPIObject): OpenAPIObject {
  addResponses(document, {
    [MISSING_SCOPE]: errorResponse(
      'The token does not have the scope of the operation, or may not be used from the address of the client.',
    ),
  });
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as Operation | undefined;
      const declared = operation?.[SCOPE_EXTENSION];
      if (!operation || declared === undefined) continue;
      // The operations without a token are those that are not `@ApiResource()`.
      if (!operation.security?.length) {
        delete operation[SCOPE_EXTENSION];
        continue;
      }
      const scope = requiredScope(method, { scope: declared });
      operation[SCOPE_EXTENSION] = scope;
      const sentence = `Required scope: \`${scope}\`.`;
      operation.description = [operation.description, sentence].filter(Boolean).join('\n\n');
      operation.responses['403'] ??= { $ref: `#/components/responses/${MISSING_SCOPE}` };
    }
  }
  return document;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [SCOPE_EXTENSION]?: ScopeRouteConfig['scope'];
};

function addResponses(document: OpenAPIObject, responses: Record<string, object>): void {
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...responses } as never,
  };
}

/** Documents the ignored fields of operations, and the header that names them. */
export function documentIgnoredFields(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as IgnoringOperation | undefined;
      const fields = operation?.[IGNORED_FIELDS_EXTENSION];
      if (!operation || !fields) continue;
      const names = fields.map((name) => `\`${name}\``).join(', ');
      const sentence = `Taken and, wholly or in part, not used: ${names}. See the header \`${IGNORED_FIELDS_HEADER}\`.`;
      operation.description = [operation.description, sentence].filter(Boolean).join('\n\n');
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!response || !status.startsWith('2') || '$ref' in response) continue;
        response.headers = { ...response.headers, [IGNORED_FIELDS_HEADER]: IGNORED_FIELDS_DOCUMENTED };
      }
    }
  }
  return document;
}

const IGNORED_FIELDS_DOCUMENTED = {
  description:
    'Fields of the body that ask for something that this service does not do, separated by commas; parts of a list ' +
    'with their index (`tools.1`). Absent where there is none: null, false, 0, empty and default values ask for nothing.',
  schema: { type: 'string' as const },
  example: 'chat_llm_fallback_id, tools.1',
};

type IgnoringOperation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [IGNORED_FIELDS_EXTENSION]?: string[];
};

const IN_FLIGHT = 'IdempotencyKeyInFlight';
const REFUSED = 'IdempotencyKeyRefused';

const HEADER = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Repeated with the same body within 24 hours, the request is answered again with `Idempotent-Replayed: true` and nothing is done twice.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Adds the header and its error responses to every POST. */
export function documentIdempotency(document: OpenAPIObject): OpenAPIObject {
  addResponses(document, {
    [IN_FLIGHT]: errorResponse(
      'The first request with this Idempotency-Key is still in progress; see `Retry-After`.',
    ),
    [REFUSED]: errorResponse(
      'The Idempotency-Key is malformed (400) or was used with another request (422).',
    ),
  });
  for (const { post } of Object.values(document.paths)) {
    if (!post) continue;
    post.parameters = [...(post.parameters ?? []), HEADER];
    post.responses['409'] ??= { $ref: `#/components/responses/${IN_FLIGHT}` };
    for (const status of ['400', '422'])
      post.responses[status] ??= { $ref: `#/components/responses/${REFUSED}` };
  }
  return document;
}
