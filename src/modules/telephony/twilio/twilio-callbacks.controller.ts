import { Body, Controller, Header, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { AnswerPlan } from '../carrier-reports.js';
import { renderAnswer } from './answer-document.js';
import { field, type CarrierForm } from './carrier-form.js';
import {
  addBreak,
  afterTransfer,
  readFailedAction,
  readFailedTransfer,
  isSpokenReport,
  readBreaks,
  type SessionBreaks,
} from './session-breaks.js';
import {
  hasLostSocket,
  handoffReason,
  toAnsweredByReport,
  toIncomingCall,
  toMessageReport,
  toRecordingReport,
  toSid,
  toStatusReport,
  toTransferOutcome,
  isFinal,
  toCallStatus,
} from './twilio-forms.js';
import { TwilioSignatureGuard } from './twilio-signature.guard.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const EMPTY_DOCUMENT = '<?xml version="1.0" encoding="UTF-8"?><Response/>';
const OVER: AnswerPlan = { kind: 'hangup' };

const Breaks = (): ParameterDecorator => Query({ transform: readBreaks });
const Transfer = (): ParameterDecorator => Param('transfer', { transform: Number });

/**
 * The carrier's callbacks, passed to the module that handles calls or messages: requests for instructions are answered
 * with TwiML, reports with an empty body.
 */
@Public()
@ApiExcludeController()
@UseGuards(TwilioSignatureGuard)
@Controller('telephony')
export class TwilioCallbacksController {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly urls: TwilioUrlsService,
    private readonly drain: DrainService,
  ) {}

  /** Also the call's fallback URL. */
  @Post('answer/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async answer(@Param('token') token: string, @Body() form: CarrierForm): Promise<string> {
    const failed = readFailedAction(field(form, 'ErrorUrl'));
    if (failed) return this.resume(token, form, failed.earlier);
    const unreached = readFailedTransfer(field(form, 'ErrorUrl'));
    if (unreached) return this.transferOver(token, unreached.transfer, form, unreached.earlier);
    if (isSpokenReport(field(form, 'ErrorUrl'))) return this.spoken(token);
    return this.render(await this.gateway.calls.planAnswer(token, toSid(form), null));
  }

  /** Also the fallback URL of a number. */
  @Post('incoming')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async incoming(@Body() form: CarrierForm): Promise<string> {
    const failed = readFailedAction(field(form, 'ErrorUrl'));
    if (failed) return this.resume(failed.token, form, failed.earlier);
    const unreached = readFailedTransfer(field(form, 'ErrorUrl'));
    if (unreached) return this.transferOver(unreached.token, unreached.transfer, form, unreached.earlier);
    if (this.drain.refusesIncomingCalls) return this.render({ kind: 'reject', busy: true });
    return this.render(await this.gateway.calls.planIncomingCall(toIncomingCall(form)));
  }

  /** Messages to a number: without this answer the carrier replies to the sender with an example text. */
  @Post('incoming-sms')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  incomingMessage(): string {
    return EMPTY_DOCUMENT;
  }

  /** The relay session is over: resume after a break, hang up after the service ended it. */
  @Post('action/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async action(
    @Param('token') token: string,
    @Body() form: CarrierForm,
    @Breaks() earlier: SessionBreaks,
  ): Promise<string> {
    if (hasLostSocket(form)) return this.resume(token, form, earlier);
    const status = toCallStatus(field(form, 'CallStatus'));
    const reason = handoffReason(form);
    const { calls } = this.gateway;
    const plan = reason === null ? OVER : await calls.planAfterSession(token, reason, earlier.defaultVoice);
    if (!isFinal(status)) return this.render(plan, afterTransfer(earlier, Date.now()));
    // Reported before the status callback, which brings the duration.
    await calls.applyReport({ token, sid: toSid(form), status });
    return this.render(OVER);
  }

  /** The person whom the call was handed over to is gone, or could not be had. */
  @Post('transfer/:token/:transfer')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async transferOver(
    @Param('token') token: string,
    @Transfer() transfer: number,
    @Body() form: CarrierForm,
    @Breaks() earlier: SessionBreaks,
  ): Promise<string> {
    const status = toCallStatus(field(form, 'CallStatus'));
    const outcome = toTransferOutcome(field(form, 'DialCallStatus'));
    const { defaultVoice } = earlier;
    const resumption = isFinal(status) ? null : { defaultVoice, isOver: false };
    const plan = await this.gateway.transfers.transferOver(token, transfer, outcome, resumption);
    if (isFinal(status)) await this.gateway.calls.applyReport({ token, sid: toSid(form), status });
    return this.render(plan, afterTransfer(earlier, Date.now()));
  }

  /** What the call ends with was spoken. */
  @Post('spoken/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async spoken(@Param('token') token: string): Promise<string> {
    await this.gateway.calls.onTextSpoken(token);
    return this.render({ kind: 'hangup' });
  }

  /** Calls that came in: the carrier knows one status URL for the whole number. */
  @Post('status')
  @HttpCode(204)
  numberStatus(@Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toStatusReport(null, form));
  }

  @Post('status/:token')
  @HttpCode(204)
  status(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toStatusReport(token, form));
  }

  @Post('amd/:token')
  @HttpCode(204)
  machineDetection(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toAnsweredByReport(token, form));
  }

  /** The call of that person, not the one that was handed over. */
  @Post('transfer-status/:token/:transfer')
  @HttpCode(204)
  async transferStatus(
    @Param('token') token: string,
    @Transfer() transfer: number,
    @Body() form: CarrierForm,
  ): Promise<void> {
    const outcome = toTransferOutcome(field(form, 'CallStatus'));
    if (outcome) await this.gateway.transfers.transferReported(token, transfer, outcome);
  }

  @Post('recording/:token')
  @HttpCode(204)
  async recording(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    const report = toRecordingReport(token, form);
    if (report) await this.gateway.calls.applyReport(report);
  }

  @Post('sms-status/:token')
  @HttpCode(204)
  messageStatus(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    const report = toMessageReport(token, form);
    return report ? this.gateway.messages.applyReport(report) : Promise.resolve();
  }

  private async resume(token: string, form: CarrierForm, earlier: SessionBreaks): Promise<string> {
    const { breaks, resumption } = addBreak(earlier, field(form, 'ErrorCode'), Date.now());
    return this.render(await this.gateway.calls.planAnswer(token, toSid(form), resumption), breaks);
  }

  private render(plan: AnswerPlan, breaks?: SessionBreaks): string {
    return renderAnswer(plan, this.urls, breaks);
  }
}
