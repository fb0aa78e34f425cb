import { Injectable } from '@nestjs/common';
import { DrainService } from '#src/health/drain.service.js';
import { field, type CarrierForm } from './carrier-form.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { AnswerPlan } from '../carrier-reports.js';
import { renderAnswer } from './answer-document.js';
import {
  addBreak,
  afterTransfer,
  readFailedAction,
  readFailedTransfer,
  isSpokenReport,
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
import { TwilioUrlsService } from './twilio-urls.service.js';

const OVER: AnswerPlan = { kind: 'hangup' };

/** Passes callbacks to the module that handles calls or messages, and renders its answer. */
@Injectable()
export class TwilioCallbacksService {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly urls: TwilioUrlsService,
    private readonly drain: DrainService,
  ) {}

  /** Also the call's fallback URL. */
  async answer(token: string, form: CarrierForm): Promise<string> {
    const failed = readFailedAction(field(form, 'ErrorUrl'));
    if (failed) return this.resume(token, form, failed.earlier);
    const unreached = readFailedTransfer(field(form, 'ErrorUrl'));
    if (unreached) return this.transferOver(token, unreached.transfer, form, unreached.earlier);
    if (isSpokenReport(field(form, 'ErrorUrl'))) return this.spoken(token);
    return this.render(await this.gateway.calls.planAnswer(token, toSid(form), null));
  }

  /** Also the fallback URL of a number. */
  async incoming(form: CarrierForm): Promise<string> {
    const failed = readFailedAction(field(form, 'ErrorUrl'));
    if (failed) return this.resume(failed.token, form, failed.earlier);
    const unreached = readFailedTransfer(field(form, 'ErrorUrl'));
    if (unreached) return this.transferOver(unreached.token, unreached.transfer, form, unreached.earlier);
    if (this.drain.refusesIncomingCalls) return this.render({ kind: 'reject', busy: true });
    return this.render(await this.gateway.calls.planIncomingCall(toIncomingCall(form)));
  }

  /** The relay session is over: resume after a break, hang up after the service ended it. */
  async action(token: string, form: CarrierForm, earlier: SessionBreaks): Promise<string> {
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
  async transferOver(
    token: string,
    transfer: number,
    form: CarrierForm,
    earlier: SessionBreaks,
  ): Promise<string> {
    const status = toCallStatus(field(form, 'CallStatus'));
    const outcome = toTransferOutcome(field(form, 'DialCallStatus'));
    const { defaultVoice } = earlier;
    const resumption = isFinal(status) ? null : { defaultVoice, isOver: false };
    const plan = await this.gateway.transfers.transferOver(token, transfer, outcome, resumption);
    if (isFinal(status)) await this.gateway.calls.applyReport({ token, sid: toSid(form), status });
    return this.render(plan, afterTransfer(earlier, Date.now()));
  }

  /** The call of that person, not the one that was handed over. */
  async transferStatus(token: string, transfer: number, form: CarrierForm): Promise<void> {
    const outcome = toTransferOutcome(field(form, 'CallStatus'));
    if (outcome) await this.gateway.transfers.transferReported(token, transfer, outcome);
  }

  /** What the call ends with was spoken. */
  async spoken(token: string): Promise<string> {
    await this.gateway.calls.onTextSpoken(token);
    return this.render({ kind: 'hangup' });
  }

  status(token: string | null, form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toStatusReport(token, form));
  }

  machineDetection(token: string, form: CarrierForm): Promise<void> {
    return this.gateway.calls.applyReport(toAnsweredByReport(token, form));
  }

  async recording(token: string, form: CarrierForm): Promise<void> {
    const report = toRecordingReport(token, form);
    if (report) await this.gateway.calls.applyReport(report);
  }

  messageStatus(token: string, form: CarrierForm): Promise<void> {
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
