import { applyDecorators, Body, Controller, Get, Options, Post, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyContextConfig } from 'fastify';
import { OptionalToken } from '#src/auth/auth.decorators.js';
import { Endpoint } from '#src/http/endpoint.decorator.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { DrainGuard } from '#src/health/drain.guard.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { PUBLIC_ROUTE_CORS, PreflightRoute } from '../assistants/widget-access.js';
import { BeginWebCallDto } from './dto/web-call-input.dto.js';
import { WebCallResponse, WidgetResponse } from './dto/web-call.response.js';
import { RequestVisitor, WebCallAccessGuard, WidgetAssistant } from './web-call-access.guard.js';
import { WebCallsService } from './web-calls.service.js';

/** A route of web pages: the guard decides on access, `publicLimit` on the rate. */
const PageRoute = (publicLimit: NonNullable<FastifyContextConfig['publicLimit']>): MethodDecorator =>
  applyDecorators(
    OptionalToken(),
    UseGuards(WebCallAccessGuard),
    WithRouteConfig({ publicLimit, ...PUBLIC_ROUTE_CORS }),
  );

const errors = [
  { status: 401, description: 'The token that was sent is not valid; none is needed.' },
  OriginNotAllowed,
  AssistantNotFound,
];

@ApiTags('Web calls')
@Controller('web-calls')
export class WebCallsController {
  constructor(private readonly webCalls: WebCallsService) {}

  @Post()
  @UseGuards(DrainGuard)
  @PageRoute('begin')
  @Endpoint({
    scope: 'calls',
    errors,
    summary: 'Begin a call from a web page',
    description:
      'No token is needed: from pages of the `allowed_origins` of an assistant whose widget is `enabled`. The browser ' +
      'opens `url`; what it then sends and gets: docs/use/web-calls.md.',
    body: WebCallResponse,
  })
  beginWebCall(
    @WidgetAssistant() assistant: AssistantView | undefined,
    @RequestVisitor() visitor: string | null,
    @Body() dto: BeginWebCallDto,
  ): Promise<WebCallResponse> {
    return this.webCalls.beginForPage(assistant, visitor, dto);
  }

  @Get('widgets/:uuid')
  @ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } })
  @PageRoute('read')
  @Endpoint({
    scope: 'read',
    errors,
    summary: 'How the widget of an assistant looks',
    body: WidgetResponse,
  })
  getWidget(@WidgetAssistant() assistant: AssistantView | undefined): Promise<WidgetResponse> {
    return this.webCalls.showWidget(assistant);
  }

  @Options(['', 'widgets/:uuid'])
  @PreflightRoute()
  preflight(): void {}
}
