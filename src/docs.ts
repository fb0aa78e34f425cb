import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { dump } from 'js-yaml';
import { answerInShape } from './http/fastify-options.js';
import {
  documentAliases,
  documentIdempotency,
  documentIgnoredFields,
  documentInvalidInput,
  documentRefusals,
  documentScopes,
  withoutQueryNulls,
  withoutUpdateDefaults,
} from './http/openapi-document.js';
import { ErrorsResponse } from './http/message.response.js';
import { securePages } from './http/page-headers.js';
import { SCOPE_MEANINGS, SCOPES } from './http/scopes.js';
import type { RuntimeSettings } from './config/runtime-settings.js';
import { serviceVersion } from './config/version.js';
import { HTML, once, serve } from './serve-content.js';

const require = createRequire(import.meta.url);
const ASSETS = [
  'swagger-ui.css',
  'index.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

/** `base` is the path of `PUBLIC_URL`. */
const page = (base: string): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Voice Assistant Calling Service</title>
    <link rel="stylesheet" href="${base}docs/swagger-ui.css">
    <link rel="stylesheet" href="${base}docs/index.css">
    <link rel="icon" type="image/png" href="${base}docs/favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="${base}docs/favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}docs/swagger-ui-bundle.js"></script>
    <script src="${base}docs/swagger-ui-init.js"></script>
  </body>
</html>
`;

/** Served as a file: the content security policy allows no inline script. */
const INIT = `window.ui = SwaggerUIBundle({
  url: new URL('../docs-json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  displayOperationId: true,
  persistAuthorization: true,
  validatorUrl: null,
});
`;

/** What holds for every field. */
const INPUT = `Unknown fields are ignored; those that clients of this family of services document, and that ask for something,
are named in the header \`X-Ignored-Fields\` of the answer. Numbers may be written as text in decimal form (\`"5"\`, \`"0.7"\`), booleans as
\`1\`, \`0\`, \`"1"\`, \`"0"\`. An empty text for an optional field is null where null is allowed, else as if the field were
absent; for a field that creation requires it is an error. At creation null for an optional field is as if absent. A
field of an update that has the value which the resource shows is not checked: what a client reads it can write back.`;

export function openApiDocument(
  app: INestApplication,
  { http }: Pick<RuntimeSettings, 'http'>,
): OpenAPIObject {
  const scopes = SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_MEANINGS[scope]}`).join('\n');
  const config = new DocumentBuilder()
    .setTitle('Voice Assistant Calling Service')
    .setDescription(
      [
        'AI voice assistants that place and receive phone calls. Every request carries `Authorization: Bearer <token>`.',
        `The token of an API key has scopes; each operation names the one that it needs:\n\n${scopes}`,
        INPUT,
      ].join('\n\n'),
    )
    .setVersion(serviceVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(http.publicUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer' })
    .build();
  const created = SwaggerModule.createDocument(app, config, { extraModels: [ErrorsResponse] });
  const described = documentInvalidInput(documentAliases(created, http.apiPrefix));
  const document = withoutQueryNulls(withoutUpdateDefaults(described));
  return documentIgnoredFields(documentRefusals(documentIdempotency(documentScopes(document))));
}

/**
 * Unless `DOCS_ENABLED` is false: Swagger UI at `/docs`, the document at `/docs-json` and `/docs-yaml`. Nest's
 * `SwaggerModule.setup` renders and reads files at each request; here each document is rendered once and served from
 * memory.
 */
export async function serveDocs(app: NestFastifyApplication, settings: RuntimeSettings): Promise<void> {
  const { docsEnabled, publicUrl } = settings.http;
  if (!docsEnabled) return;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/*$/, '/');
  const document = once(() => openApiDocument(app, settings));
  await fastify.register(async (scope) => {
    await securePages(scope, { connect: [origin] });
    scope.setErrorHandler(answerInShape);
    serve(scope, '/docs-json', 'application/json', () => JSON.stringify(document()));
    serve(scope, '/docs-yaml', 'text/yaml; charset=utf-8', () =>
      dump(document(), { skipInvalid: true, noRefs: true }),
    );
    serve(scope, '/docs', HTML, () => page(base));
    serve(scope, '/docs/swagger-ui-init.js', TYPES['js'] ?? '', () => INIT);
    for (const name of ASSETS) {
      serve(scope, `/docs/${name}`, TYPES[name.split('.').at(-1) ?? ''] ?? '', () => readAsset(name));
    }
  });
}

function readAsset(name: string): Buffer {
  return readFileSync(join(require.resolve('swagger-ui-dist/package.json'), '..', name));
}
