import { readBody, truncateBody, truncateBytes, type ResponseBody } from './response-body.js';
import { OutboundFailure, type OutboundErrorKind, type PublicErrorKind } from './outbound-failure.js';
import type { Attributes } from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** The complete response, its body cut at the limit. */
export interface OutboundResponse extends ResponseBody {
  statusCode: number;
  /** Names in lower case, repeated ones joined with `, `; 16 KiB at most. */
  headers: Record<string, string>;
}

type ExchangeLimits = Pick<
  OutboundRequest,
  'timeoutMs' | 'maxResponseBytes' | 'wantsBytes' | 'signal' | 'onStart'
>;

/**
 * Sends a request and reads its response. Rejects with an OutboundFailure or an error of undici.
 *
 * A handler of undici's instead of its `request()`: most responses are a few bytes, for which a stream and signals take
 * longer than all else. And undici lets a request that still waits for its connection notice an abort only when that
 * connection stands or fails; this one ends at once.
 */
export const sendOutboundRequest = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<OutboundResponse> =>
  new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(limits, resolve, reject);
    if (!handler.isOver) dispatcher.dispatch(options, handler);
  });

class ExchangeHandler implements Dispatcher.DispatchHandler {
  /** Why it ended before its response was complete, or `true`: the response is complete. */
  private over: Error | true | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private statusCode = 0;
  private headers: Record<string, string> = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  /** Not `AbortSignal.timeout()`: its timer cannot be cleared, and each answered request would leave one behind. */
  private readonly timer: NodeJS.Timeout;
  private readonly abort = (): void => this.fail(new OutboundFailure('aborted'));

  constructor(
    private readonly limits: ExchangeLimits,
    private readonly resolve: (answer: OutboundResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => this.fail(new OutboundFailure('timeout')), limits.timeoutMs);
    if (limits.signal?.aborted) this.abort();
    else limits.signal?.addEventListener('abort', this.abort);
  }

  get isOver(): boolean {
    return this.over !== null;
  }

  /**
   * A connection stands, and the bytes leave when this returns. Undici may take a request to a second connection when
   * the first one dies; the receiver may have it from the first one, so it is failed instead.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const isRepeated = this.controller !== null;
    this.controller = controller;
    if (this.over instanceof Error) controller.abort(this.over);
    else if (isRepeated) this.fail(new OutboundFailure('reset'));
    else this.limits.onStart?.();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.statusCode = statusCode;
    for (const [name, value] of Object.entries(headers))
      this.headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= this.limits.maxResponseBytes) return;
    this.complete();
    // Closes the connection: an endless body costs one buffer.
    controller.abort(new OutboundFailure('aborted'));
  }

  onResponseEnd(): void {
    this.complete();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(error);
  }

  private complete(): void {
    if (this.isOver) return;
    this.end(true);
    const { statusCode, headers } = this;
    const { maxResponseBytes, wantsBytes } = this.limits;
    const read = wantsBytes ? truncateBytes : truncateBody;
    readBody(this.chunks, headers['content-encoding'], maxResponseBytes, read).then(
      (body) => this.resolve({ statusCode, headers, ...body }),
      this.reject,
    );
  }

  private fail(error: Error): void {
    if (this.isOver) return;
    this.end(error);
    this.controller?.abort(error);
    this.reject(error);
  }

  private end(how: Error | true): void {
    this.over = how;
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener('abort', this.abort);
  }
}

/** Headers that belong to the connection, and compression, which saves nothing on answers of this size. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers to send: names in lower case (a repeated name counts once, the last wins), without our own. */
export function requestHeaders(
  given: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': 'identity' };
  for (const [spelled, value] of Object.entries(given)) {
    const name = spelled.toLowerCase();
    if (!OWN_HEADERS.has(name)) headers[name] = value;
  }
  return headers;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Headers that frame the connection (`Host`, `Content-Length`, …) are the client's own and ignored here. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The span's name; by default `outbound request`. */
  span?: { name: string; attributes: Attributes };
  /** Milliseconds for everything: waiting for a socket, DNS, connecting, headers, body. */
  timeoutMs: number;
  /** Of a longer body only this many bytes are read and the connection is dropped; as many of what it unpacks to. */
  maxResponseBytes: number;
  /** The response has `bytes` instead of a text: its charset is the caller's to find. */
  wantsBytes?: boolean;
  signal?: AbortSignal;
  /**
   * Called when the request leaves. Until it returns, an abort guarantees that nothing was sent; afterwards it does
   * not.
   */
  onStart?: () => void;
}

/** Any status is `ok`: a 3xx is not followed and a 5xx is the caller's to judge. */
export type OutboundResult =
  | ({ ok: true; durationMs: number } & OutboundResponse)
  | {
      ok: false;
      error: PublicErrorKind;
      message: string;
      /** For operators only: whether the name of an `unreachable_address` exists. */
      reason: OutboundErrorKind;
      durationMs: number;
    };
