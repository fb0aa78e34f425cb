import type { TwilioCallbacksController } from '#src/modules/telephony/twilio/twilio-callbacks.controller.js';
import { parseSessionBreaks } from '#src/modules/telephony/twilio/session-breaks.js';
import { TOKEN } from './call-store.js';
import type { PersonStep } from './scenario.types.js';
import type { Attributes } from './customer-line.js';

const PATH = /\/telephony\/transfer\/[\w-]+\/(\d+)$/;
const OUTCOMES: Record<Exclude<PersonStep, 'answers'>, string> = {
  leaves: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
};

/** The person whom a call is handed over to, and the carrier's reports of them. */
export class ScriptedPerson {
  private dialled: Attributes | null = null;

  constructor(
    private readonly sid: string,
    private readonly callbacks: TwilioCallbacksController,
    /** What the carrier does with the document that it gets; null: it has no URL to ask. */
    private readonly follow: (document: string | null) => Promise<void>,
  ) {}

  called(attributes: Attributes): void {
    this.dialled = attributes;
  }

  async act(step: PersonStep): Promise<void> {
    if (step === 'answers') return this.report('in-progress');
    await this.report(OUTCOMES[step]);
    await this.over('in-progress', OUTCOMES[step]);
  }

  /** The customer hangs up while the person is called or has the call. */
  async customerHungUp(): Promise<void> {
    if (this.dialled) await this.over('completed', 'canceled');
  }

  private async report(status: string): Promise<void> {
    const url = this.dialled?.get('Number.statusCallback');
    const transfer = Number(url?.split('/').at(-1));
    const form = { CallSid: `CA${'2'.repeat(32)}`, ParentCallSid: this.sid, CallStatus: status };
    if (url) await this.callbacks.applyTransferStatus(TOKEN, transfer, form);
  }

  private async over(callStatus: string, outcome: string): Promise<void> {
    const action = this.dialled?.get('Dial.action');
    this.dialled = null;
    if (!action) return this.follow(null);
    const url = new URL(action);
    const form = { CallSid: this.sid, CallStatus: callStatus, DialCallStatus: outcome };
    const transfer = Number(PATH.exec(url.pathname)?.[1]);
    const earlier = parseSessionBreaks(Object.fromEntries(url.searchParams));
    const next = await this.callbacks.planAfterTransfer(TOKEN, transfer, form, earlier);
    if (callStatus === 'in-progress') await this.follow(next);
  }
}
