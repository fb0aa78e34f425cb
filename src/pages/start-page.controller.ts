import { Controller, Get, Header, Headers, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { NotFound } from '#src/common/errors/api-error.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { serviceVersion } from '#src/config/version.js';
import { ConsoleFilesService } from './console-files.service.js';
import { DemoAssistantService } from './demo-assistant.service.js';
import { EtagInterceptor } from './etag.interceptor.js';
import { GuideFilesService } from './guide-files.service.js';
import { basePath, HTML_TYPE, htmlPage } from './html.js';
import { PageHeadersInterceptor } from './page-headers.interceptor.js';

/** For people who open the service's address. */
@Public()
@ApiExcludeController()
@UseInterceptors(PageHeadersInterceptor, EtagInterceptor)
@Controller()
export class StartPageController {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly console: ConsoleFilesService,
    private readonly guide: GuideFilesService,
    private readonly demo: DemoAssistantService,
  ) {}

  @Get()
  @Header('Content-Type', HTML_TYPE)
  @Header('Cache-Control', 'no-cache')
  startPage(@Headers('accept') accept = ''): string {
    if (!/\btext\/html\b/i.test(accept)) throw new NotFound('Not Found');
    const base = basePath(this.settings.http.publicUrl);
    const items = this.links().map(([path, text]) => `        <li><a href="${base}${path}">${text}</a></li>`);
    return htmlPage(
      base,
      `      <h1>Voice Assistant Calling Service</h1>
      <p>AI voice assistants that place and receive phone calls, and talk to visitors of web pages.
        The service is running, version ${serviceVersion()}.</p>
      <ul>
${items.join('\n')}
      </ul>`,
    );
  }

  private links(): [path: string, text: string][] {
    const { docsEnabled, consoleEnabled } = this.settings.http;
    const { uuid } = this.demo;
    const links: [string, string][] = [];
    if (consoleEnabled && this.console.isBuilt())
      links.push(['console', 'Console: calls, campaigns, assistants']);
    if (uuid !== null) links.push([`widget-preview/${uuid}`, 'Talk to the demo assistant']);
    if (docsEnabled && this.guide.isBuilt()) links.push(['guide/', 'Guide']);
    if (docsEnabled) links.push(['docs', 'Documentation of the API'], ['docs-json', 'OpenAPI document']);
    return [...links, ['health/ready', 'Readiness']];
  }
}
