import { applyDecorators, Body, Controller, Get, Options, Post, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { OptionalToken } from '#src/auth/auth.decorators.js';
import { Endpoint, type EndpointOptions } from '#src/common/http/endpoint.decorator.js';
import { addRouteConfig } from '#src/common/http/route-config.js';
import type { PubliclyLimitedRoute } from '#src/common/rate-limit/limit-public-requests.js';
import { DrainGuard } from '#src/health/drain.guard.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { OWN_CORS, Preflight } from '../assistants/widget-access.js';
import { BeginWebCallDto } from './dto/web-call-input.dto.js';
import { WebCallResponse, WidgetResponse } from './dto/web-call.response.js';
import { Visitor, WebCallAccessGuard, WidgetAssistant } from './web-call-access.guard.js';
import { WebCallsService } from './web-calls.service.js';

/** A route of web pages: who may use it says the guard, how often `publicLimit`. */
const PageEndpoint = (
  publicLimit: NonNullable<PubliclyLimitedRoute['publicLimit']>,
  options: EndpointOptions,
): MethodDecorator =>
  applyDecorators(
    Endpoint({
      ...options,
      scope: publicLimit === 'read' ? 'read' : 'calls',
      errors: [
        { status: 401, description: 'The token that was sent is not valid; none is needed.' },
        OriginNotAllowed,
        AssistantNotFound,
      ],
    }),
    OptionalToken(),
    UseGuards(WebCallAccessGuard),
    (_target: object, _key: string | symbol, { value }: PropertyDescriptor) =>
      addRouteConfig(value as object, { publicLimit, ...OWN_CORS } satisfies PubliclyLimitedRoute & object),
  );

@ApiTags('Web calls')
@Controller('web-calls')
export class WebCallsController {
  constructor(private readonly webCalls: WebCallsService) {}

  @Post()
  @UseGuards(DrainGuard)
  @PageEndpoint('begin', {
    summary: 'Begin a call from a web page',
    description:
      'No token is needed: from pages of the `allowed_origins` of an assistant whose widget is `enabled`. The browser ' +
      'opens `url`; what it then sends and gets: docs/WEB_CALLS.md.',
    body: WebCallResponse,
  })
  beginWebCall(
    @WidgetAssistant() assistant: AssistantView | undefined,
    @Visitor() visitor: string | null,
    @Body() dto: BeginWebCallDto,
  ) {
    return this.webCalls.beginForPage(assistant, visitor, dto);
  }

  @Get('widgets/:uuid')
  @ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } })
  @PageEndpoint('read', { summary: 'How the widget of an assistant looks', body: WidgetResponse })
  getWidget(@WidgetAssistant() assistant: AssistantView | undefined) {
    return this.webCalls.showWidget(assistant);
  }

  @Options(['', 'widgets/:uuid'])
  @Preflight()
  preflight(): void {}
}
