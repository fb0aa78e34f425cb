import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { FailsWith } from '#src/common/http/fails-with.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { Saying } from '#src/common/http/saying.js';
import { AssistantEditor } from './assistant-editor.service.js';
import { AssistantNotFound } from './assistants.errors.js';
import { AssistantsService } from './assistants.service.js';
import { AssistantSummaryResponse } from './dto/assistant-summary.response.js';
import { AssistantResponse } from './dto/assistant.response.js';
import { CreateAssistantDto } from './dto/create-assistant.dto.js';
import { UpdateAssistantDto } from './dto/update-assistant.dto.js';

@ApiResource('Assistants')
@Controller('user/assistant')
export class AssistantsController {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly editor: AssistantEditor,
  ) {}

  @Post()
  @Saying('Assistant created successfully')
  @FailsWith('Assistant creation failed')
  @ApiOperation({ operationId: 'createAssistant', summary: 'Create an assistant' })
  @ApiData(ApiCreatedResponse, AssistantSummaryResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateAssistantDto) {
    return this.editor.create(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @Saying()
  @ApiOperation({ operationId: 'getAssistant', summary: 'One assistant' })
  @ApiData(ApiOkResponse, AssistantResponse)
  @ApiMissing('Assistant not found')
  get(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.assistants.get(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @Saying('Assistant updated successfully')
  @FailsWith('Assistant update failed')
  @ApiOperation({ operationId: 'updateAssistant', summary: 'Update the given fields of an assistant' })
  @ApiData(ApiOkResponse, AssistantSummaryResponse, { message: true })
  @ApiMissing('Assistant not found')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(AssistantNotFound) id: number, @Body() dto: UpdateAssistantDto) {
    return this.editor.update(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @Saying('Assistant deleted successfully')
  @ApiOperation({ operationId: 'deleteAssistant', summary: 'Delete an assistant; its call records stay' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiMissing('Assistant not found')
  delete(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.editor.delete(userId, id);
  }
}
