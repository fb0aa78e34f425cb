import twilio from 'twilio';
import { Agent, type Dispatcher } from 'undici';
import { sendOutboundRequest } from '#src/common/outbound-http/outbound-exchange.js';
import type { TelephonySettings } from '../telephony-settings.js';
import { runInSpan } from '#src/common/tracing/tracing.js';
import RequestClient from 'twilio/lib/base/RequestClient.js';
import { rateLimited } from './twilio-failure.js';

export type TwilioClient = ReturnType<typeof createTwilioClient>;

/** In a file of its own, so that the SDK is loaded with the first request and not at start. */
export const createTwilioClient = (settings: TelephonySettings, timeoutMs?: number) =>
  twilio(settings.accountSid, settings.authToken, {
    httpClient: new TwilioRequestClient(settings, timeoutMs),
  });

type Options<T> = RequestClient.RequestOptions<T>;
/** The SDK's response class, which its package exports in a shape that modules cannot name. */
type SdkResponse<T> = Awaited<ReturnType<typeof RequestClient.prototype.request<T>>>;

const TIMEOUT_MS = 10_000;
/** A page of a thousand numbers has about one. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** The only host of the carrier that is requested. */
const CARRIER_ORIGIN = 'https://api.twilio.com';
/** Ids of the carrier's resources and phone numbers in a path. */
const IDS = /[A-Z]{2}[0-9a-f]{32}|(\+|%2B)?\d{5,}/g;

/**
 * The SDK's requests over undici: to the address of the settings, with one deadline for the whole exchange. Rejects
 * without a complete response, or with a redirect; every other status is a response.
 */
export class TwilioRequestClient extends RequestClient {
  /** The deadline of each request covers its times. */
  private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  constructor(
    private readonly settings: Pick<TelephonySettings, 'apiUrl'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    super();
  }

  override request<TData>(options: Options<TData>): Promise<SdkResponse<TData>> {
    return runInSpan('carrier request', { kind: 'client' }, async (span) => {
      if (span.isRecording())
        span.setAttributes({
          'http.request.method': options.method.toUpperCase(),
          'url.template': new URL(options.uri).pathname.replace(IDS, '{id}'),
        });
      const answer = await this.send(options);
      span.setAttribute('http.response.status_code', answer.statusCode);
      return answer;
    });
  }

  private async send<TData>(options: Options<TData>): Promise<SdkResponse<TData>> {
    const query = options.params ? `?${toForm(options.params)}` : '';
    const url = new URL(this.address(options.uri) + query);
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: options.method.toUpperCase() as Dispatcher.HttpMethod,
      headers: { ...options.headers, authorization: basicAuth(options), 'accept-encoding': 'identity' },
      body: options.method === 'post' ? toForm(options.data).toString() : null,
    };
    const { statusCode, headers, body, truncated } = await sendOutboundRequest(this.agent, request, {
      timeoutMs: this.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    if (truncated || (statusCode >= 300 && statusCode < 400))
      throw new Error(`The carrier's answer (${statusCode}) is too long or a redirect`);
    const limited = statusCode === 429 ? rateLimited(body, headers['retry-after'] ?? null, Date.now()) : null;
    if (limited) throw limited;
    // The SDK parses the text itself, in spite of its generic parameter.
    return { statusCode, body: body as TData, headers };
  }

  private address(uri: string): string {
    const { apiUrl } = this.settings;
    return apiUrl === null ? uri : uri.replace(CARRIER_ORIGIN, apiUrl.replace(/\/+$/, ''));
  }
}

/** A list is the same name several times, as the carrier expects it. */
function toForm(values: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values ?? {})) {
    for (const item of [value].flat())
      if (item !== undefined && item !== null) form.append(name, String(item));
  }
  return form;
}

function basicAuth({ username, password }: { username?: string; password?: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
