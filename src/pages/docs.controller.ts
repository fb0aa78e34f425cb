import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { Controller, Get, Header, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#src/auth/auth.decorators.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { ApiDocumentService } from './api-document.service.js';
import { EtagInterceptor } from './etag.interceptor.js';
import { basePath, CSS_TYPE, HTML_TYPE, SCRIPT_TYPE } from './html.js';
import { PageHeadersInterceptor } from './page-headers.interceptor.js';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const TYPES: Record<string, string> = { '.css': CSS_TYPE, '.js': SCRIPT_TYPE, '.png': 'image/png' };
/** In memory: the script has 1.5 MB, and to read it from the disk for each request costs 9 ms of CPU time. */
const ASSETS = new Map(
  ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'favicon-16x16.png', 'favicon-32x32.png'].map(
    (name) => [name, readFileSync(join(SWAGGER_UI, name))],
  ),
);

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

/** Swagger UI and the OpenAPI document. `SwaggerModule.setup` writes styles into its page, which the policy forbids. */
@Public()
@ApiExcludeController()
@UseInterceptors(PageHeadersInterceptor)
@Controller()
export class DocsController {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly api: ApiDocumentService,
  ) {}

  @Get('docs-json')
  @UseInterceptors(EtagInterceptor)
  @Header('Content-Type', 'application/json')
  @Header('Cache-Control', 'no-cache')
  json(): string {
    return this.api.json();
  }

  @Get('docs-yaml')
  @UseInterceptors(EtagInterceptor)
  @Header('Content-Type', 'text/yaml; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  yaml(): string {
    return this.api.yaml();
  }

  @Get('docs')
  @UseInterceptors(EtagInterceptor)
  @Header('Content-Type', HTML_TYPE)
  @Header('Cache-Control', 'no-cache')
  page(): string {
    return page(basePath(this.settings.http.publicUrl));
  }

  @Get('docs/swagger-ui-init.js')
  @UseInterceptors(EtagInterceptor)
  @Header('Content-Type', SCRIPT_TYPE)
  @Header('Cache-Control', 'no-cache')
  initScript(): string {
    return INIT;
  }

  @Get([...ASSETS.keys()].map((name) => `docs/${name}`))
  @UseInterceptors(EtagInterceptor)
  @Header('Cache-Control', 'no-cache')
  asset(
    @Req() { routeOptions }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer | undefined {
    const name = basename(routeOptions.url ?? '');
    void reply.type(TYPES[extname(name)] ?? '');
    return ASSETS.get(name);
  }
}
