import { Body, Controller, Header, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import type { CarrierForm } from './carrier-form.js';
import { readBreaks } from './session-breaks.js';
import { TwilioCallbacksService } from './twilio-callbacks.service.js';
import { TwilioSignatureGuard } from './twilio-signature.guard.js';

const EMPTY_DOCUMENT = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** The carrier's callbacks: requests for instructions are answered with TwiML, reports with an empty body. */
@Public()
@ApiExcludeController()
@UseGuards(TwilioSignatureGuard)
@Controller('telephony')
export class TwilioCallbacksController {
  constructor(private readonly callbacks: TwilioCallbacksService) {}

  @Post('answer/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  answer(@Param('token') token: string, @Body() form: CarrierForm): Promise<string> {
    return this.callbacks.answer(token, form);
  }

  @Post('incoming')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  incoming(@Body() form: CarrierForm): Promise<string> {
    return this.callbacks.incoming(form);
  }

  /** Messages to a number: without this answer the carrier replies to the sender with an example text. */
  @Post('incoming-sms')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  incomingMessage(): string {
    return EMPTY_DOCUMENT;
  }

  @Post('action/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  action(
    @Param('token') token: string,
    @Body() form: CarrierForm,
    @Query() query: { resumed?: string; voice?: string },
  ): Promise<string> {
    return this.callbacks.action(token, form, readBreaks(query));
  }

  @Post('transfer/:token/:transfer')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  transferOver(
    @Param('token') token: string,
    @Param('transfer') transfer: string,
    @Body() form: CarrierForm,
    @Query() query: { resumed?: string; voice?: string },
  ): Promise<string> {
    return this.callbacks.transferOver(token, Number(transfer), form, readBreaks(query));
  }

  @Post('spoken/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  spoken(@Param('token') token: string): Promise<string> {
    return this.callbacks.spoken(token);
  }

  /** Calls that came in: the carrier knows one status URL for the whole number. */
  @Post('status')
  @HttpCode(204)
  numberStatus(@Body() form: CarrierForm): Promise<void> {
    return this.callbacks.status(null, form);
  }

  @Post('status/:token')
  @HttpCode(204)
  status(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.callbacks.status(token, form);
  }

  @Post('amd/:token')
  @HttpCode(204)
  machineDetection(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.callbacks.machineDetection(token, form);
  }

  @Post('transfer-status/:token/:transfer')
  @HttpCode(204)
  transferStatus(
    @Param('token') token: string,
    @Param('transfer') transfer: string,
    @Body() form: CarrierForm,
  ): Promise<void> {
    return this.callbacks.transferStatus(token, Number(transfer), form);
  }

  @Post('recording/:token')
  @HttpCode(204)
  recording(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.callbacks.recording(token, form);
  }

  @Post('sms-status/:token')
  @HttpCode(204)
  messageStatus(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.callbacks.messageStatus(token, form);
  }
}
