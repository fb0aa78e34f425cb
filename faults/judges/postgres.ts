import { judgeDialer, type DialerObservations } from './dialer.js';
import { judgeSms, type SmsObservations } from './sms.js';
import { judgeWebhooks, type WebhookObservations } from './webhooks.js';

export interface PostgresObservations {
  webhooks: WebhookObservations;
  dialer: DialerObservations;
  sms: SmsObservations;
  /** Status of each process's readiness, when all is over; 0: no answer. */
  ready: number[];
  /** Of `accounts verify`: its exit code and what it said. */
  verify: { code: number | null; text: string };
  /** Processes that gave up. */
  ended: string[];
}

/** Nothing is lost or doubled, every cent is accounted for, and every process is back by itself. */
export function judgePostgres(seen: PostgresObservations): string[] {
  const { webhooks, dialer, sms, ready, verify, ended } = seen;
  return [
    ...judgeWebhooks(webhooks),
    ...judgeDialer(dialer),
    ...judgeSms(sms),
    ...ready.flatMap((status, index) =>
      status === 200 ? [] : [`process ${index} is not ready again (${status})`],
    ),
    ...(verify.code === 0 ? [] : [`accounts verify ended with ${verify.code}: ${verify.text.trim()}`]),
    ...ended,
  ];
}
