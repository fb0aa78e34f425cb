import { readFile } from 'node:fs/promises';
import { Controller, Get, Header, Param, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { NotFound } from '#src/common/errors/api-error.js';
import { UUID } from '#src/common/validation/uuid.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import { withWidgetDefaults } from '#src/modules/assistants/widget-settings.js';
import { EtagInterceptor } from './etag.interceptor.js';
import { basePath, CSS_TYPE, HTML_TYPE, htmlPage, SCRIPT_TYPE, PAGE_STYLES } from './html.js';
import { PageHeadersInterceptor } from './page-headers.interceptor.js';

/** The built files of `widget/`. */
const EMBED_SCRIPT = new URL('../../widget/embed.js', import.meta.url);

/** The script of the widget, and pages to try it. */
@Public()
@ApiExcludeController()
@Controller()
export class WidgetController {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly assistants: AssistantsService,
  ) {}

  /** Pages of all origins load it, also with an `integrity` attribute. */
  @Get('embed.js')
  @UseInterceptors(EtagInterceptor)
  @Header('Content-Type', SCRIPT_TYPE)
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Header('Access-Control-Allow-Origin', '*')
  async embedScript(): Promise<string> {
    const text = await readFile(EMBED_SCRIPT, 'utf8');
    return text.replaceAll('%API_PATH%', () => `.${this.settings.http.apiPrefix}`);
  }

  @Get('widget-preview/page.css')
  @UseInterceptors(PageHeadersInterceptor, EtagInterceptor)
  @Header('Content-Type', CSS_TYPE)
  @Header('Cache-Control', 'no-cache')
  styles(): string {
    return PAGE_STYLES;
  }

  /** For assistants whose widget is enabled; for all others there is no preview. */
  @Get('widget-preview/:uuid')
  @WithRouteConfig({ publicLimit: 'read' })
  @UseInterceptors(PageHeadersInterceptor)
  @Header('Content-Type', HTML_TYPE)
  @Header('Cache-Control', 'no-cache')
  async preview(@Param('uuid') uuid: string): Promise<string> {
    const assistant = UUID.test(uuid) ? await this.assistants.assistantViewByUuid(uuid) : null;
    if (!assistant || withWidgetDefaults(assistant.widgetSettings)['enabled'] !== true)
      throw new NotFound('Not Found');
    const base = basePath(this.settings.http.publicUrl);
    return htmlPage(
      base,
      `      <h1>Talk to the assistant</h1>
      <p>This page shows the assistant's widget as visitors of your pages see it. What is said here is a call: it
        appears in the list of calls and is charged.</p>
      <p><a href="${base}">About this service</a></p>
      <script src="${base}embed.js" data-assistant-id="${uuid}"></script>`,
    );
  }
}
