import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { ErrorMessage } from '#src/common/http/fails-with.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { AssistantEditorService } from './assistant-editor.service.js';
import { AssistantNotFound } from './assistants.errors.js';
import { AssistantsService } from './assistants.service.js';
import { AssistantSummaryResponse } from './dto/assistant-summaries.response.js';
import { AssistantResponse } from './dto/assistant.response.js';
import { CreateAssistantDto, UpdateAssistantDto } from './dto/assistant-input.dto.js';

@ApiResource('Assistants')
@Controller('user/assistant')
export class AssistantsController {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly editor: AssistantEditorService,
  ) {}

  @Post()
  @ResponseMessage('Assistant created successfully')
  @ErrorMessage('Assistant creation failed')
  @ApiOperation({ operationId: 'createAssistant', summary: 'Create an assistant' })
  @ApiData(ApiCreatedResponse, AssistantSummaryResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateAssistantDto) {
    return this.editor.createAssistant(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getAssistant', summary: 'One assistant' })
  @ApiData(ApiOkResponse, AssistantResponse)
  @ApiNotFound('Assistant not found')
  get(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.assistants.getAssistant(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @ResponseMessage('Assistant updated successfully')
  @ErrorMessage('Assistant update failed')
  @ApiOperation({ operationId: 'updateAssistant', summary: 'Update the given fields of an assistant' })
  @ApiData(ApiOkResponse, AssistantSummaryResponse, { message: true })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(AssistantNotFound) id: number, @Body() dto: UpdateAssistantDto) {
    return this.editor.updateAssistant(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Assistant deleted successfully')
  @ApiOperation({ operationId: 'deleteAssistant', summary: 'Delete an assistant; its call records stay' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Assistant not found')
  delete(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.editor.deleteAssistant(userId, id);
  }
}
