import type { OpenAPIObject } from '@nestjs/swagger';

const NAME = 'TooManyRequests';
const METHODS = ['get', 'post', 'put', 'delete'] as const;

const RESPONSE = {
  description:
    'The token has used up its requests of this minute, or too many of the account wait; see `Retry-After`.',
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        required: ['message', 'retry_after'],
        properties: {
          message: { type: 'string' as const },
          retry_after: { type: 'integer' as const, minimum: 1, description: 'Seconds.' },
        },
      },
    },
  },
};

/** Tells of the 429 at every operation. */
export function documentRateLimit(document: OpenAPIObject): OpenAPIObject {
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, [NAME]: RESPONSE },
  };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) operation.responses['429'] = { $ref: `#/components/responses/${NAME}` };
    }
  }
  return document;
}
