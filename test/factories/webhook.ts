import { Webhook } from 'standardwebhooks';
import { until } from '../support/until.js';
import type { Received } from '../support/receiver.js';
import type { TestAccount } from './account.js';

export interface Delivery {
  id: number;
  webhook_id: string;
  event: string;
  channel: string;
  call_id: number | null;
  assistant_id: number;
  url: string;
  status: string;
  reason: string | null;
  test: boolean;
  attempts_count: number;
  next_attempt_at: string | null;
  delivered_at: string | null;
}

export interface DeliveryDetail extends Delivery {
  body: string;
  attempts: {
    number: number;
    url: string;
    status_code: number | null;
    response_body: string | null;
    error: string | null;
  }[];
}

export const secretOf = async ({ client }: TestAccount): Promise<string> =>
  (await client.get<{ data: { secret: string } }>('/user/webhook-secret')).body.data.secret;

/** Verifies a request with the reference library. @throws when the signature is not valid */
export const verified = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

export const deliveriesOf = async ({ client }: TestAccount, query: string): Promise<Delivery[]> =>
  (await client.get<{ data: Delivery[] }>(`/user/webhook-deliveries?${query}`)).body.data;

export const deliveryDetail = async ({ client }: TestAccount, id: number): Promise<DeliveryDetail> =>
  (await client.get<{ data: DeliveryDetail }>(`/user/webhook-deliveries/${id}`)).body.data;

/** Waits until the call's delivery matches. */
export const deliveryWhen = (
  account: TestAccount,
  callId: number,
  wanted: (delivery: Delivery) => boolean,
): Promise<Delivery> =>
  until(async () => (await deliveriesOf(account, `call_id=${callId}`)).find(wanted) ?? null);

/** Sends a test delivery. @returns its result */
export async function aTestDelivery({ client }: TestAccount, assistantId: number): Promise<DeliveryDetail> {
  const { status, text, body } = await client.post<{ data: DeliveryDetail }>(
    '/user/assistants/test-webhook',
    {
      assistant_id: assistantId,
    },
  );
  if (status !== 200) throw new Error(`the test was not sent: ${status} ${text}`);
  return body.data;
}
