import type { OpenAPIObject } from '@nestjs/swagger';

const NAME = 'ServiceUnavailable';
const METHODS = ['get', 'post', 'put', 'delete'] as const;

const RESPONSE = {
  description: 'The database is away, or its time limits ended the request; see `Retry-After`.',
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        required: ['message'],
        properties: { message: { type: 'string' as const } },
      },
    },
  },
};

/** Tells of the 503 at every operation. */
export function documentUnavailable(document: OpenAPIObject): OpenAPIObject {
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, [NAME]: RESPONSE },
  };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) operation.responses['503'] = { $ref: `#/components/responses/${NAME}` };
    }
  }
  return document;
}
