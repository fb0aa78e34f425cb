import { Body, Controller, Header, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { CallInstructions } from '../carrier-reports.js';
import { renderTwiml } from './render-twiml.js';
import { formField, type CarrierForm } from './carrier-form.js';
import {
  addSessionBreak,
  sessionBreaksAfterTransfer,
  readFailedAction,
  readFailedTransfer,
  isSpokenReport,
  parseSessionBreaks,
  type SessionBreaks,
} from './session-breaks.js';
import {
  hasLostSocket,
  handoffReason,
  toAnsweredByReport,
  toIncomingCall,
  toMessageReport,
  toRecordingReport,
  toCallSid,
  toStatusReport,
  toTransferOutcome,
  isFinalCallStatus,
  toCallStatus,
} from './twilio-forms.js';
import { TwilioSignatureGuard } from './twilio-signature.guard.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const EMPTY_DOCUMENT = '<?xml version="1.0" encoding="UTF-8"?><Response/>';
const OVER: CallInstructions = { kind: 'hangup' };

const Breaks = (): ParameterDecorator => Query({ transform: parseSessionBreaks });
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
  async planAnsweredCall(@Param('token') token: string, @Body() form: CarrierForm): Promise<string> {
    const failed = readFailedAction(formField(form, 'ErrorUrl'));
    if (failed) return this.resume(token, form, failed.earlier);
    const unreached = readFailedTransfer(formField(form, 'ErrorUrl'));
    if (unreached) return this.planAfterTransfer(token, unreached.transfer, form, unreached.earlier);
    if (isSpokenReport(formField(form, 'ErrorUrl'))) return this.planAfterMessage(token);
    return this.render(await this.gateway.calls.planAnsweredCall(token, toCallSid(form), null));
  }

  /** Also the fallback URL of a number. */
  @Post('incoming')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async planIncomingCall(@Body() form: CarrierForm): Promise<string> {
    const failed = readFailedAction(formField(form, 'ErrorUrl'));
    if (failed) return this.resume(failed.token, form, failed.earlier);
    const unreached = readFailedTransfer(formField(form, 'ErrorUrl'));
    if (unreached)
      return this.planAfterTransfer(unreached.token, unreached.transfer, form, unreached.earlier);
    if (this.drain.refusesIncomingCalls) return this.render({ kind: 'reject', busy: true });
    return this.render(await this.gateway.calls.planIncomingCall(toIncomingCall(form)));
  }

  /** Messages to a number: without this answer the carrier replies to the sender with an example text. */
  @Post('incoming-sms')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  receiveMessage(): string {
    return EMPTY_DOCUMENT;
  }

  /** The relay session is over: resume after a break, hang up after the service ended it. */
  @Post('action/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async planAfterSession(
    @Param('token') token: string,
    @Body() form: CarrierForm,
    @Breaks() earlier: SessionBreaks,
  ): Promise<string> {
    if (hasLostSocket(form)) return this.resume(token, form, earlier);
    const status = toCallStatus(formField(form, 'CallStatus'));
    const reason = handoffReason(form);
    const { calls } = this.gateway;
    const plan = reason === null ? OVER : await calls.planAfterSession(token, reason, earlier.defaultVoice);
    if (!isFinalCallStatus(status)) return this.render(plan, sessionBreaksAfterTransfer(earlier, Date.now()));
    // Reported before the status callback, which brings the duration.
    await calls.applyReport({ token, sid: toCallSid(form), status });
    return this.render(OVER);
  }

  /** The person whom the call was handed over to is gone, or could not be had. */
  @Post('transfer/:token/:transfer')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async planAfterTransfer(
    @Param('token') token: string,
    @Transfer() transfer: number,
    @Body() form: CarrierForm,
    @Breaks() earlier: SessionBreaks,
  ): Promise<string> {
    const status = toCallStatus(formField(form, 'CallStatus'));
    const outcome = toTransferOutcome(formField(form, 'DialCallStatus'));
    const { defaultVoice } = earlier;
    const resumption = isFinalCallStatus(status) ? null : { defaultVoice, isOver: false };
    const plan = await this.gateway.transfers.planAfterTransfer(token, transfer, outcome, resumption);
    if (isFinalCallStatus(status))
      await this.gateway.calls.applyReport({ token, sid: toCallSid(form), status });
    return this.render(plan, sessionBreaksAfterTransfer(earlier, Date.now()));
  }

  /** The call's last message was spoken. */
  @Post('spoken/:token')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml')
  async planAfterMessage(@Param('token') token: string): Promise<string> {
    await this.gateway.calls.onMessageSpoken(token);
    return this.render({ kind: 'hangup' });
  }

  /** Inbound calls: the carrier has one status URL for the whole number. */
  @Post('status')
  @HttpCode(204)
  applyIncomingCallStatus(@Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toStatusReport(null, form));
  }

  @Post('status/:token')
  @HttpCode(204)
  applyCallStatus(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toStatusReport(token, form));
  }

  @Post('amd/:token')
  @HttpCode(204)
  applyMachineDetection(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toAnsweredByReport(token, form));
  }

  /** The call of that person, not the one that was handed over. */
  @Post('transfer-status/:token/:transfer')
  @HttpCode(204)
  async applyTransferStatus(
    @Param('token') token: string,
    @Transfer() transfer: number,
    @Body() form: CarrierForm,
  ): Promise<void> {
    const outcome = toTransferOutcome(formField(form, 'CallStatus'));
    if (outcome) await this.gateway.transfers.applyTransferReport(token, transfer, outcome);
  }

  @Post('recording/:token')
  @HttpCode(204)
  async addRecording(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    const report = toRecordingReport(token, form);
    if (report) await this.gateway.calls.applyReport(report);
  }

  @Post('sms-status/:token')
  @HttpCode(204)
  applyMessageStatus(@Param('token') token: string, @Body() form: CarrierForm): Promise<void> {
    const report = toMessageReport(token, form);
    return report ? this.gateway.messages.applyReport(report) : Promise.resolve();
  }

  private async resume(token: string, form: CarrierForm, earlier: SessionBreaks): Promise<string> {
    const { breaks, resumption } = addSessionBreak(earlier, formField(form, 'ErrorCode'), Date.now());
    return this.render(await this.gateway.calls.planAnsweredCall(token, toCallSid(form), resumption), breaks);
  }

  private render(plan: CallInstructions, breaks?: SessionBreaks): string {
    return renderTwiml(plan, this.urls, breaks);
  }
}
