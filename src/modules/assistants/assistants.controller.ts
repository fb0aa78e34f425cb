import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
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
  @Endpoint({
    summary: 'Create an assistant',
    status: 201,
    message: 'Assistant created successfully',
    data: AssistantSummaryResponse,
    failure: 'Assistant creation failed',
  })
  createAssistant(@UserId() userId: number, @Body() dto: CreateAssistantDto) {
    return this.editor.createAssistant(userId, dto);
  }

  @Get(':id')
  @Endpoint({ summary: 'One assistant', data: AssistantResponse })
  getAssistant(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.assistants.getAssistant(userId, id);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of an assistant',
    message: 'Assistant updated successfully',
    data: AssistantSummaryResponse,
    failure: 'Assistant update failed',
  })
  updateAssistant(
    @UserId() userId: number,
    @PathId(AssistantNotFound) id: number,
    @Body() dto: UpdateAssistantDto,
  ) {
    return this.editor.updateAssistant(userId, id, dto);
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete an assistant; its call records stay',
    message: 'Assistant deleted successfully',
  })
  deleteAssistant(@UserId() userId: number, @PathId(AssistantNotFound) id: number) {
    return this.editor.deleteAssistant(userId, id);
  }
}
