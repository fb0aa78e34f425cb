import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiResource, Endpoint, type EndpointOptions } from '#src/http/endpoint.decorator.js';
import { MAX_ID } from '#src/common/validation/fields.js';
import { ListSendersDto, SendFreeformDto, SendTemplateDto, SessionStatusDto } from './dto/whatsapp.dto.js';
import { SendersResponse, WhatsappErrorResponse } from './dto/whatsapp.response.js';
import { WhatsappService } from './whatsapp.service.js';

const NO_SENDERS = 'This service has no provider of WhatsApp: an account has no senders.';

/** An operation with a sender. */
const SenderEndpoint = ({ summary, ...options }: Pick<EndpointOptions, 'summary' | 'scope'>) =>
  Endpoint({
    ...options,
    summary,
    description: NO_SENDERS,
    errors: [{ status: 404, description: 'Sender not found', type: WhatsappErrorResponse }],
  });

/** Routes that existing clients request before they use WhatsApp. */
@ApiResource('WhatsApp')
@Controller('user/whatsapp')
export class WhatsappController {
  constructor(private readonly whatsapp: WhatsappService) {}

  @Get('senders')
  @Endpoint({ summary: 'WhatsApp senders', description: NO_SENDERS, body: SendersResponse })
  listWhatsappSenders(@Query() _query: ListSendersDto): SendersResponse {
    return this.whatsapp.listSenders();
  }

  @Get('senders/:sender/templates')
  @ApiParam({ name: 'sender', schema: { type: 'integer', minimum: 1, maximum: MAX_ID } })
  @SenderEndpoint({ summary: 'Message templates of a WhatsApp sender' })
  listWhatsappTemplates(): never {
    return this.whatsapp.requireSender();
  }

  @Get('session-status')
  @SenderEndpoint({ summary: 'Whether a person can be written to without a template' })
  getWhatsappSession(@Query() _query: SessionStatusDto): never {
    return this.whatsapp.requireSender();
  }

  @Post('send')
  @SenderEndpoint({ summary: 'Send a message template over WhatsApp', scope: 'messages' })
  sendWhatsappTemplate(@Body() _dto: SendTemplateDto): never {
    return this.whatsapp.requireSender();
  }

  @Post('send-freeform')
  @SenderEndpoint({ summary: 'Send a message over WhatsApp', scope: 'messages' })
  sendWhatsappMessage(@Body() _dto: SendFreeformDto): never {
    return this.whatsapp.requireSender();
  }
}
