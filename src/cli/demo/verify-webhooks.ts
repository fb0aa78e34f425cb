import { messageOf } from '../explain-error.js';
import { DemoFailed } from './demo-failed.js';
import type { ReceivedWebhook } from './webhook-receiver.js';

export interface VerifiedWebhook {
  callId: number;
  event: string;
  webhookId: string;
  /** Null: the signature is right. */
  problem: string | null;
}

/** As any receiver would, with the reference library of the signature's standard. */
export async function verifyWebhooks(
  secret: string,
  received: ReceivedWebhook[],
): Promise<VerifiedWebhook[]> {
  const { Webhook } = await import('standardwebhooks').catch(() => {
    throw new DemoFailed('The package standardwebhooks is not installed: npm install --include=dev');
  });
  const webhook = new Webhook(secret);
  return received.map(({ headers, body, callId }) => {
    const header = (name: string): string => String(headers[name] ?? '');
    const seen = { callId, event: header('webhook-event'), webhookId: header('webhook-id') };
    try {
      webhook.verify(body, {
        'webhook-id': header('webhook-id'),
        'webhook-timestamp': header('webhook-timestamp'),
        'webhook-signature': header('webhook-signature'),
      });
      return { ...seen, problem: null };
    } catch (error) {
      return { ...seen, problem: messageOf(error) };
    }
  });
}
