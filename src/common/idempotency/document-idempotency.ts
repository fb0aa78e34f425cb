import type { OpenAPIObject } from '@nestjs/swagger';

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

const saying = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        required: ['message'],
        properties: { message: { type: 'string' as const } },
      },
    },
  },
});

/** Tells of the header and of the answers that it brings at every POST, as the interceptor takes it. */
export function documentIdempotency(document: OpenAPIObject): OpenAPIObject {
  const responses = {
    [IN_FLIGHT]: saying(
      'The first request with this Idempotency-Key is still in progress; see `Retry-After`.',
    ),
    [REFUSED]: saying('The Idempotency-Key is malformed (400) or was used with another request (422).'),
  };
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...responses },
  };
  for (const { post } of Object.values(document.paths)) {
    if (!post) continue;
    post.parameters = [...(post.parameters ?? []), HEADER];
    post.responses['409'] ??= { $ref: `#/components/responses/${IN_FLIGHT}` };
    for (const status of ['400', '422'])
      post.responses[status] ??= { $ref: `#/components/responses/${REFUSED}` };
  }
  return document;
}
