import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { TokenHasScope, UserId } from '#src/auth/auth.decorators.js';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import { RequireJson } from '#src/http/require-json.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { ChangedFields } from '#src/http/changed-fields.decorator.js';
import { CreateToolDto, HEADER_MASK, TestToolDto, UpdateToolDto } from './dto/tool-input.dto.js';
import { ToolTestResponse } from './dto/tool-test.response.js';
import { ToolResponse } from './dto/tool.response.js';
import { ToolTestsService } from './tool-tests.service.js';
import { ToolNotFound } from './tools.errors.js';
import { ToolsService } from './tools.service.js';

@ApiResource('Mid call tools')
@Controller('user/tools')
export class ToolsController {
  constructor(
    private readonly tools: ToolsService,
    private readonly tests: ToolTestsService,
  ) {}

  @Get()
  @RequireJson()
  @Endpoint({ summary: 'All mid call tools, newest first', body: [ToolResponse] })
  listTools(@UserId() userId: number, @TokenHasScope('write') seesHeaders: boolean): Promise<ToolResponse[]> {
    return this.tools.listTools(userId, seesHeaders);
  }

  @Post()
  @WithRouteConfig({ invalidMessage: VALIDATION_FAILED })
  @Endpoint({
    summary: 'Create a mid call tool',
    status: 201,
    message: true,
    data: ToolResponse,
    // Of headers.
    shownOnce: { value: HEADER_MASK },
  })
  async createTool(
    @UserId() userId: number,
    @Body() dto: CreateToolDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<ToolResponse>> {
    return { message: 'Tool created successfully', data: await this.tools.createTool(userId, dto, key) };
  }

  @Get(':id')
  @Endpoint({ summary: 'One mid call tool', body: ToolResponse })
  getTool(
    @UserId() userId: number,
    @PathId(ToolNotFound) id: number,
    @TokenHasScope('write') seesHeaders: boolean,
  ): Promise<ToolResponse> {
    return this.tools.showTool(userId, id, seesHeaders);
  }

  @Put(':id')
  @WithRouteConfig({ invalidMessage: VALIDATION_FAILED })
  @Endpoint({
    summary: 'Update the given fields of a mid call tool',
    message: true,
    data: ToolResponse,
  })
  async updateTool(
    @UserId() userId: number,
    @PathId(ToolNotFound) id: number,
    @ChangedFields(ToolsService, 'getTool') dto: UpdateToolDto,
  ): Promise<MessageAndData<ToolResponse>> {
    return { message: 'Tool updated successfully', data: await this.tools.updateTool(userId, id, dto) };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete a mid call tool and detach it everywhere' })
  async deleteTool(@UserId() userId: number, @PathId(ToolNotFound) id: number): Promise<MessageResponse> {
    await this.tools.deleteTool(userId, id);
    return { message: 'Tool deleted successfully' };
  }

  @Post(':id/test')
  @WithRouteConfig({ invalidMessage: VALIDATION_FAILED })
  @Endpoint({
    summary: 'Call the endpoint of a mid call tool as a call would',
    description:
      'Sends the request, which may change what is behind the endpoint. At most 60 a minute of one account.',
    message: true,
    data: ToolTestResponse,
  })
  async testTool(
    @UserId() userId: number,
    @PathId(ToolNotFound) id: number,
    @Body() dto: TestToolDto,
  ): Promise<MessageAndData<ToolTestResponse>> {
    return { message: 'Tool tested successfully', data: await this.tests.testTool(userId, id, dto) };
  }
}
