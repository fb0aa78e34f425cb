import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { RequireJson } from '#src/common/http/require-json.js';
import { Saying } from '#src/common/http/saying.js';
import { CreateToolDto } from './dto/create-tool.dto.js';
import { ToolResponse } from './dto/tool.response.js';
import { UpdateToolDto } from './dto/update-tool.dto.js';
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
    return this.tools.list(userId);
  }

  @Post()
  @Saying('Tool created successfully')
  @ApiOperation({ operationId: 'createTool', summary: 'Create a mid call tool' })
  @ApiData(ApiCreatedResponse, ToolResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateToolDto) {
    return this.tools.create(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @Saying()
  @ApiOperation({ operationId: 'getTool', summary: 'One mid call tool' })
  @ApiData(ApiOkResponse, ToolResponse)
  @ApiMissing('Tool not found')
  get(@UserId() userId: number, @PathId(ToolNotFound) id: number) {
    return this.tools.get(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @Saying('Tool updated successfully')
  @ApiOperation({ operationId: 'updateTool', summary: 'Update the given fields of a mid call tool' })
  @ApiData(ApiOkResponse, ToolResponse, { message: true })
  @ApiMissing('Tool not found')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(ToolNotFound) id: number, @Body() dto: UpdateToolDto) {
    return this.tools.update(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @Saying('Tool deleted successfully')
  @ApiOperation({ operationId: 'deleteTool', summary: 'Delete a mid call tool and detach it everywhere' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiMissing('Tool not found')
  delete(@UserId() userId: number, @PathId(ToolNotFound) id: number) {
    return this.tools.delete(userId, id);
  }
}
