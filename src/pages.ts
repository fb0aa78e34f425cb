import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_ROUTE } from './auth/auth.decorators.js';
import { answerInShape } from './http/fastify-options.js';
import { securePages } from './http/page-headers.js';
import { UUID } from './common/validation/uuid.js';
import { consoleIsBuilt } from './console.js';
import type { RuntimeSettings } from './config/runtime-settings.js';
import { serviceVersion } from './config/version.js';
import { guideIsBuilt } from './guide.js';
import { AssistantsService } from './modules/assistants/assistants.service.js';
import { withWidgetDefaults } from './modules/assistants/widget-settings.js';
import { DemoAssistantService } from './modules/web-calls/demo-assistant.service.js';
import { HTML, serve } from './serve-content.js';

const STYLES = `:root { color-scheme: light dark; background: #fff; color: #111827; --link: #1d4ed8; }
@media (prefers-color-scheme: dark) { :root { background: #111827; color: #f3f4f6; --link: #93c5fd; } }
body { font: 18px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { line-height: 1.2; }
li { margin: 0.4rem 0; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;

interface Page {
  /** Path of `PUBLIC_URL`, with a slash at its end. */
  base: string;
  body: string;
}

const page = ({ base, body }: Page): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Voice Assistant Calling Service</title>
    <link rel="stylesheet" href="${base}widget-preview/page.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main>
${body}
    </main>
  </body>
</html>
`;

/** For people who open the service's address; `demo` is the uuid of an assistant to talk to. */
function startPage(
  base: string,
  parts: { hasConsole: boolean; hasDocs: boolean; hasGuide: boolean; demo: string | null },
): string {
  const { hasConsole, hasDocs, hasGuide, demo } = parts;
  const links = [
    ...(hasConsole ? [['console', 'Console: calls, campaigns, assistants'] as const] : []),
    ...(demo === null ? [] : [[`widget-preview/${demo}`, 'Talk to the demo assistant'] as const]),
    ...(hasGuide ? [['guide/', 'Guide'] as const] : []),
    ...(hasDocs
      ? [['docs', 'Documentation of the API'] as const, ['docs-json', 'OpenAPI document'] as const]
      : []),
    ['health/ready', 'Readiness'],
  ];
  const items = links.map(([path, text]) => `        <li><a href="${base}${path}">${text}</a></li>`);
  return page({
    base,
    body: `      <h1>Voice Assistant Calling Service</h1>
      <p>AI voice assistants that place and receive phone calls, and talk to visitors of web pages. The service is running, version ${serviceVersion()}.</p>
      <ul>
${items.join('\n')}
      </ul>`,
  });
}

const previewPage = (base: string, uuid: string): string =>
  page({
    base,
    body: `      <h1>Talk to the assistant</h1>
      <p>This page shows the assistant's widget as visitors of your pages see it. What is said here is a call: it
        appears in the list of calls and is charged.</p>
      <p><a href="${base}">About this service</a></p>
      <script src="${base}embed.js" data-assistant-id="${uuid}"></script>`,
  });

/** A page at `/`, the script of the widget, and pages to try it. */
export async function servePages(app: NestFastifyApplication, settings: RuntimeSettings): Promise<void> {
  const { docsEnabled: hasDocs, consoleEnabled, publicUrl, apiPrefix } = settings.http;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/*$/, '/');
  const demo = app.get(DemoAssistantService, { strict: false });
  await fastify.register(async (scope) => {
    await securePages(scope, { connect: [origin, origin.replace(/^http/, 'ws')] });
    scope.setErrorHandler(answerInShape);
    const isFor = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '');
    const start = (): string =>
      startPage(base, {
        hasConsole: consoleEnabled && consoleIsBuilt(),
        hasDocs,
        hasGuide: hasDocs && guideIsBuilt(),
        demo: demo.uuid,
      });
    serve(scope, '/', HTML, start, { isFor });
    serve(scope, '/widget-preview/page.css', 'text/css; charset=utf-8', () => STYLES);
    servePreview(scope, app.get(AssistantsService, { strict: false }), base);
  });
  await fastify.register(async (scope) => {
    scope.setErrorHandler(answerInShape);
    serve(scope, '/embed.js', 'text/javascript; charset=utf-8', () => embedScript(apiPrefix), {
      // Pages of all origins load it, also with an `integrity` attribute.
      headers: {
        'cache-control': 'public, max-age=300',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      },
    });
  });
}

/** For assistants whose widget is enabled; all others are not there. */
function servePreview(scope: FastifyInstance, assistants: AssistantsService, base: string): void {
  scope.get<{ Params: { uuid: string } }>(
    '/widget-preview/:uuid',
    { config: { ...PUBLIC_ROUTE, publicLimit: 'read' } },
    async (request, reply) => {
      const { uuid } = request.params;
      const assistant = UUID.test(uuid) ? await assistants.assistantViewByUuid(uuid) : null;
      if (!assistant || withWidgetDefaults(assistant.widgetSettings)['enabled'] !== true)
        return reply.callNotFound();
      return reply
        .headers({ 'content-type': HTML, 'cache-control': 'no-cache' })
        .send(previewPage(base, uuid));
    },
  );
}

/** What the build made of `widget/`. */
function embedScript(apiPrefix: string): string {
  const text = readFileSync(new URL('../widget/embed.js', import.meta.url), 'utf8');
  return text.replaceAll('%API_PATH%', () => `.${apiPrefix}`);
}
