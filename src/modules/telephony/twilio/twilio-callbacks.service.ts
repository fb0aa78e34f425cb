import { Injectable } from '@nestjs/common';
import { field, type CarrierForm } from '../carrier-form.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { AnswerPlan } from '../carrier-reports.js';
import { renderAnswer } from './answer-document.js';
import {
  lostItsSocket,
  toAnsweredByReport,
  toIncomingCall,
  toMessageReport,
  toRecordingReport,
  toSid,
  toStatusReport,
  isFinal,
  toCallStatus,
} from './twilio-forms.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

/** Passes callbacks to the module that handles calls or messages, and renders its answer. */
@Injectable()
export class TwilioCallbacksService {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly urls: TwilioUrlsService,
  ) {}

  async answer(token: string, form: CarrierForm): Promise<string> {
    return this.render(await this.gateway.calls.answer(token, toSid(form), false));
  }

  async incoming(form: CarrierForm): Promise<string> {
    return this.render(await this.gateway.calls.incoming(toIncomingCall(form)));
  }

  /** The relay session is over: resume after a broken socket, hang up after the service ended it. */
  async action(token: string, form: CarrierForm): Promise<string> {
    if (lostItsSocket(form)) return this.render(await this.gateway.calls.answer(token, toSid(form), true));
    const status = toCallStatus(field(form, 'CallStatus'));
    // Reported before the status callback, which brings the duration.
    if (isFinal(status)) await this.gateway.calls.report({ token, sid: toSid(form), status });
    return this.render({ kind: 'hangup' });
  }

  status(token: string | null, form: CarrierForm): Promise<void> {
    return this.gateway.calls.report(toStatusReport(token, form));
  }

  machineDetection(token: string, form: CarrierForm): Promise<void> {
    return this.gateway.calls.report(toAnsweredByReport(token, form));
  }

  async recording(token: string, form: CarrierForm): Promise<void> {
    const report = toRecordingReport(token, form);
    if (report) await this.gateway.calls.report(report);
  }

  async messageStatus(token: string, form: CarrierForm): Promise<void> {
    const report = toMessageReport(token, form);
    if (report) await this.gateway.messages.report(report);
  }

  private render(plan: AnswerPlan): string {
    return renderAnswer(plan, this.urls);
  }
}
