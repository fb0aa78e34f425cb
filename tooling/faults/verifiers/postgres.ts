import { verifyDialer, type DialerObservations } from './dialer.js';
import { verifySms, type SmsObservations } from './sms.js';
import { verifyWebhooks, type WebhookObservations } from './webhooks.js';

export interface PostgresObservations {
  webhooks: WebhookObservations;
  dialer: DialerObservations;
  sms: SmsObservations;
  /** Status of /health/ready of each process after the run; 0: no response. */
  ready: number[];
  /** Exit code and output of `accounts verify`. */
  verify: { code: number | null; text: string };
  /** Processes that ended by themselves. */
  ended: string[];
}

/** Nothing is lost or duplicated, the ledger is correct, and every process is ready again. */
export function verifyPostgres(seen: PostgresObservations): string[] {
  const { webhooks, dialer, sms, ready, verify, ended } = seen;
  return [
    ...verifyWebhooks(webhooks),
    ...verifyDialer(dialer),
    ...verifySms(sms),
    ...ready.flatMap((status, index) =>
      status === 200 ? [] : [`process ${index} is not ready again (${status})`],
    ),
    ...(verify.code === 0 ? [] : [`accounts verify ended with ${verify.code}: ${verify.text.trim()}`]),
    ...ended,
  ];
}
