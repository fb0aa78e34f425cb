import { Controller, Get, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { AssistantsService } from './assistants.service.js';
import {
  AssistantPhoneNumberResponse,
  OutboundAssistantResponse,
} from './dto/assistant-summaries.response.js';
import { AssistantResponse } from './dto/assistant.response.js';
import { ListAssistantsDto, PageAssistantsDto } from './dto/assistant-requests.dto.js';

@ApiResource('Assistants')
@Controller('user/assistants')
export class AssistantListsController {
  constructor(private readonly assistants: AssistantsService) {}

  @Get()
  @Endpoint({ summary: 'All assistants, newest first', body: [AssistantResponse] })
  listAssistants(@UserId() userId: number, @Query() { type = null }: ListAssistantsDto) {
    return this.assistants.listAssistants(userId, type);
  }

  @Get('get')
  @Endpoint({ summary: 'Assistants page by page, newest first', page: AssistantResponse })
  pageAssistants(@UserId() userId: number, @Query() query: PageAssistantsDto) {
    return this.assistants.pageOfAssistants(userId, query);
  }

  @Get('outbound')
  @Endpoint({ summary: 'All outbound assistants, newest first', body: [OutboundAssistantResponse] })
  listOutboundAssistants(@UserId() userId: number) {
    return this.assistants.listOutbound(userId);
  }

  @Get('phone-numbers')
  @Endpoint({ summary: 'Phone numbers that an assistant can be given', body: [AssistantPhoneNumberResponse] })
  listAssistantPhoneNumbers(@UserId() userId: number, @Query() { type = null }: ListAssistantsDto) {
    return this.assistants.phoneNumberChoice(userId, type);
  }
}
