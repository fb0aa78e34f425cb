import createOpenApiClient, { type Client } from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import type { paths } from './api.js';
import { retryingFetch, type RetryOptions } from './retrying-fetch.js';

export type { components, operations, paths } from './api.js';
export type { RetryOptions } from './retrying-fetch.js';

export interface ClientOptions extends RetryOptions {
  /** Where the service listens, e.g. `https://calls.example.com`, without the API's prefix. */
  baseUrl: string;
  /** An API key. */
  token: string;
  fetch?: (request: Request) => Promise<Response>;
}

export type CallingClient = Client<paths>;

/**
 * A client whose methods take a path of the API: `client.POST('/api/user/lead', { body })` resolves with `data` or
 * `error`. A POST without an `Idempotency-Key` gets one, so that it takes effect once however often it is repeated.
 */
export function createClient({ baseUrl, token, fetch, ...retry }: ClientOptions): CallingClient {
  const client = createOpenApiClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    fetch: retryingFetch(retry, fetch ?? ((request) => globalThis.fetch(request))),
  });
  client.use({
    onRequest({ request }) {
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', crypto.randomUUID());
      }
      return request;
    },
  });
  return client;
}

/**
 * The payload of a webhook whose signature is right and whose timestamp is at most five minutes old.
 *
 * @param secret of the account, `whsec_…`, see `GET /user/webhook-secret`
 * @param headers of the request, with names in lower case
 * @param body as it was received, before parsing
 * @throws WebhookVerificationError of `standardwebhooks`
 */
export const verifyWebhook = (secret: string, headers: Record<string, string>, body: string): unknown =>
  new Webhook(secret).verify(body, headers);
