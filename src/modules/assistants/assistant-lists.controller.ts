import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiInvalid, ApiResource } from '#src/common/http/api-docs.js';
import { ApiPaginated } from '#src/common/pagination/page.js';
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
  @ApiOperation({ operationId: 'listAssistants', summary: 'All assistants, newest first' })
  @ApiOkResponse({ type: [AssistantResponse] })
  @ApiInvalid()
  list(@UserId() userId: number, @Query() { type = null }: ListAssistantsDto) {
    return this.assistants.listAssistants(userId, type);
  }

  @Get('get')
  @ApiOperation({ operationId: 'pageAssistants', summary: 'Assistants page by page, newest first' })
  @ApiPaginated(AssistantResponse)
  @ApiInvalid()
  page(@UserId() userId: number, @Query() query: PageAssistantsDto) {
    return this.assistants.pageOfAssistants(userId, query);
  }

  @Get('outbound')
  @ApiOperation({ operationId: 'listOutboundAssistants', summary: 'All outbound assistants, newest first' })
  @ApiOkResponse({ type: [OutboundAssistantResponse] })
  outbound(@UserId() userId: number) {
    return this.assistants.listOutbound(userId);
  }

  @Get('phone-numbers')
  @ApiOperation({
    operationId: 'listAssistantPhoneNumbers',
    summary: 'Phone numbers that an assistant can be given',
  })
  @ApiOkResponse({ type: [AssistantPhoneNumberResponse] })
  @ApiInvalid()
  phoneNumbers(@UserId() userId: number, @Query() { type = null }: ListAssistantsDto) {
    return this.assistants.phoneNumberChoice(userId, type);
  }
}
