import { setMaxListeners } from 'node:events';
import type { Callee } from '../callees/callee.js';
import type { CallHandle, CarrierContext } from './carrier-context.js';
import { callSeconds, type CallRecord, type CallStatus, type CallWebhooks } from './call-record.js';
import type { Instructions } from './call-order.js';
import { DocumentRunner } from './document-runner.js';
import { ReportQueue } from './report-queue.js';
import { SimulatedCallee } from './simulated-callee.js';
import { rfc2822 } from './rest-dates.js';

/** SIP response codes by status. */
const SIP_CODES: Partial<Record<CallStatus, string>> = {
  completed: '200',
  busy: '486',
  'no-answer': '487',
  canceled: '487',
  failed: '404',
};

/** One running call: its state, its callbacks, the callee and its instructions. */
export class LiveCall implements CallHandle {
  readonly line: SimulatedCallee;
  private readonly end = new AbortController();
  private readonly runner: DocumentRunner;
  readonly reports: ReportQueue;
  private sequence = 0;
  private limit: NodeJS.Timeout | undefined;

  constructor(
    readonly carrier: CarrierContext,
    readonly record: CallRecord,
    readonly callee: Callee,
    readonly urls: CallWebhooks,
  ) {
    setMaxListeners(0, this.over);
    this.reports = new ReportQueue(carrier, callee.reportOrder);
    this.line = new SimulatedCallee(carrier.clockSpeed, this.over, (speech) =>
      carrier.journal.write('speech', record, { ...speech }),
    );
    this.runner = new DocumentRunner(this);
  }

  get over(): AbortSignal {
    return this.end.signal;
  }

  params(extra: Record<string, string> = {}): Record<string, string> {
    const { sid, from, to, direction, status, parentCallSid } = this.record;
    return {
      AccountSid: this.carrier.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: sid,
      CallStatus: status,
      Called: to,
      Caller: from,
      Direction: direction,
      From: from,
      To: to,
      ...(parentCallSid !== null && { ParentCallSid: parentCallSid }),
      ...extra,
    };
  }

  enter(status: 'ringing' | 'in-progress'): void {
    this.record.status = status;
    this.record.updatedAt = new Date();
    this.carrier.changed(this.record, this.urls);
  }

  /** The answer: duration and price count from here, and the callee's script starts. */
  answer(limitSeconds: number): void {
    this.record.answered = true;
    this.record.startedAt = new Date();
    this.enter('in-progress');
    this.report('answered');
    this.limit = setTimeout(() => this.finish('completed'), Math.min(limitSeconds * 1000, 2 ** 31 - 1));
    this.callee
      .talk(this.line)
      .then(() => this.finish('completed'))
      .catch((error: unknown) => this.fail(error));
  }

  async follow(instructions: Instructions): Promise<void> {
    if (this.callee.reportOrder?.endsFirst) return this.askAfterEnd(instructions);
    await this.runner.run(instructions);
    this.finish(this.record.answered ? 'completed' : 'failed');
  }

  /** The request is in transit at the end of the call, and arrives after the report of the end. */
  private async askAfterEnd(instructions: Instructions): Promise<void> {
    const { carrier, record } = this;
    const params = this.params();
    this.finish('completed');
    await this.reports.endReported;
    if (!('url' in instructions)) return;
    const { url, event } = instructions;
    await carrier.webhooks.instructions({ event, url, subject: record, params }, carrier.closing);
  }

  /** New instructions for a running call; the current ones are aborted. */
  redirect(instructions: Instructions): void {
    this.runner.redirect(instructions);
  }

  /** `at`: time of the end; `patienceMs`: time for which the report is retried while the service does not respond. */
  finish(status: CallStatus, { at = new Date(), patienceMs = 0 } = {}): void {
    if (this.over.aborted) return;
    clearTimeout(this.limit);
    Object.assign(this.record, { status, endedAt: at, updatedAt: at });
    for (const recording of this.record.recordings) recording.endedAt = at;
    this.end.abort();
    this.carrier.changed(this.record, this.urls);
    const ending = {
      CallDuration: String(callSeconds(this.record)),
      Duration: String(Math.ceil(callSeconds(this.record) / 60)),
      SipResponseCode: SIP_CODES[status] ?? '200',
    };
    this.report('completed', ending, patienceMs);
    this.carrier.ended(this.record.sid);
  }

  /** The end of the call interrupts waits, which is no failure; any other error is a bug of the sandbox. */
  fail(error: unknown): void {
    if (this.over.aborted) return;
    this.carrier.journal.write('callback', this.record, { event: 'sandbox-error', error: String(error) });
    this.finish('failed');
  }

  /** The carrier itself stops: no callback and no hang-up is reported. */
  drop(): void {
    clearTimeout(this.limit);
    this.end.abort();
  }

  report(
    event: 'initiated' | 'ringing' | 'answered' | 'completed',
    extra: Record<string, string> = {},
    patienceMs = 0,
  ): void {
    const { url, events } = this.urls;
    if (url === null || !events.has(event)) return;
    const params = this.params({
      ...(event === 'initiated' && { CallStatus: 'initiated' }),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(this.sequence++),
      Timestamp: rfc2822(new Date()),
      ...extra,
    });
    const webhook = { event: `status:${params['CallStatus']}`, url, subject: this.record, params };
    this.reports.send(event, webhook, patienceMs);
  }
}
