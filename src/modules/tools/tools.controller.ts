import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { RequireJson } from '#src/common/http/require-json.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { CreateToolDto, UpdateToolDto } from './dto/tool-input.dto.js';
import { ToolResponse } from './dto/tool.response.js';
import { ToolNotFound } from './tools.errors.js';
import { ToolsService } from './tools.service.js';

@ApiResource('Mid call tools')
@Controller('user/tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  @Get()
  @RequireJson()
  @ApiOperation({ operationId: 'listTools', summary: 'All mid call tools, newest first' })
  @ApiOkResponse({ type: [ToolResponse] })
  list(@UserId() userId: number) {
    return this.tools.listTools(userId);
  }

  @Post()
  @ResponseMessage('Tool created successfully')
  @ApiOperation({ operationId: 'createTool', summary: 'Create a mid call tool' })
  @ApiData(ApiCreatedResponse, ToolResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateToolDto) {
    return this.tools.createTool(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getTool', summary: 'One mid call tool' })
  @ApiData(ApiOkResponse, ToolResponse)
  @ApiNotFound('Tool not found')
  get(@UserId() userId: number, @PathId(ToolNotFound) id: number) {
    return this.tools.getTool(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @ResponseMessage('Tool updated successfully')
  @ApiOperation({ operationId: 'updateTool', summary: 'Update the given fields of a mid call tool' })
  @ApiData(ApiOkResponse, ToolResponse, { message: true })
  @ApiNotFound('Tool not found')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(ToolNotFound) id: number, @Body() dto: UpdateToolDto) {
    return this.tools.updateTool(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Tool deleted successfully')
  @ApiOperation({ operationId: 'deleteTool', summary: 'Delete a mid call tool and detach it everywhere' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Tool not found')
  delete(@UserId() userId: number, @PathId(ToolNotFound) id: number) {
    return this.tools.deleteTool(userId, id);
  }
}
