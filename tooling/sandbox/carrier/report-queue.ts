import type { Detection, ReportedEvent, ReportOrder, Sending } from '../callees/report-order.js';
import type { CarrierContext } from './carrier-context.js';
import type { WebhookRequest } from './webhooks.js';

/** Sends the reports of one call one after another, in order, unless its callee defines another order. */
export class ReportQueue {
  private last: Promise<void> = Promise.resolve();
  private readonly end: Promise<void>;
  private endWasReported = (): void => undefined;

  constructor(
    private readonly carrier: CarrierContext,
    private readonly order: ReportOrder | null,
  ) {
    this.end = new Promise((resolve) => (this.endWasReported = resolve));
  }

  /** The end of the call is reported, or is never reported. */
  get endReported(): Promise<void> {
    return this.end;
  }

  send(event: ReportedEvent, webhook: WebhookRequest, patienceMs: number): void {
    const notify = (): Promise<void> => this.carrier.webhooks.notify(webhook, patienceMs);
    const copies = this.order?.reports[event];
    const sent = copies
      ? copies.map((sending) => this.later(sending, notify))
      : [(this.last = this.last.then(notify))];
    if (event === 'completed')
      void (sent.length === 0 ? Promise.resolve() : Promise.race(sent)).then(() => this.endWasReported());
  }

  /** A result of machine detection. */
  detect({ sending }: Detection, webhook: WebhookRequest): void {
    void this.later(sending, () => this.carrier.webhooks.notify(webhook));
  }

  /** Nothing is sent once the carrier stops. */
  private async later({ ms, after }: Sending, notify: () => Promise<void>): Promise<void> {
    const { clockSpeed, closing } = this.carrier;
    try {
      if (after === 'end') await this.end;
      await clockSpeed.sleep(ms, closing);
      await notify();
    } catch (error) {
      if (!closing.aborted) throw error;
    }
  }
}
