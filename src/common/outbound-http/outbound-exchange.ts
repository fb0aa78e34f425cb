import { OutboundFailure, type OutboundErrorKind, type ShownErrorKind } from './outbound-failure.js';
import type { Attributes } from '@opentelemetry/api';
import type { Dispatcher } from 'undici';

/**
 * One time limit and, optionally, the caller's own signal, joined into a signal that says which of them fired. Not
 * `AbortSignal.timeout()`: its timer cannot be cleared, and each answered request would leave one behind.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = () => this.controller.abort(new OutboundFailure('aborted'));

  constructor(
    timeoutMs: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.controller.abort(new OutboundFailure('timeout')), timeoutMs);
    if (outer?.aborted) this.giveUp();
    outer?.addEventListener('abort', this.giveUp);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * The work's result, or a rejection as soon as the signal fires. Needed beside the signal: undici lets a
   * request that still waits for its connection notice an abort only when that connection stands or fails.
   */
  race<T>(work: Promise<T>): Promise<T> {
    const fired = new Promise<never>((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason));
    });
    return Promise.race([work, fired]);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.giveUp);
  }
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin'> & { origin: string };

/** What `announceStart` reads beside undici's own options. */
export type AnnouncedOptions = RequestOptions & { onStart?: () => void };

/**
 * Calls `onStart` when a connection stands and the request's bytes leave in the same tick. Undici may take a
 * request to a second connection when the first one dies; one whose start was announced is failed instead.
 */
export const onRequestDispatched: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options: Dispatcher.DispatchOptions & { onStart?: () => void }, handler) => {
    const { onStart } = options;
    if (!onStart) return dispatch(options, handler);
    let started = false;
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        if (started) return controller.abort(new OutboundFailure('reset'));
        handler.onRequestStart?.(controller, context);
        if (controller.aborted) return;
        started = true;
        onStart();
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
  };

/**
 * Reads at most `maxBytes` of a response; leaving the loop early destroys the stream and its socket, so an
 * endless body costs one buffer.
 */
export async function readCapped(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  const text = decode(Buffer.concat(chunks), maxBytes);
  // Each byte that is not UTF-8 became a replacement character of three bytes.
  const body = Buffer.byteLength(text) > maxBytes ? decode(Buffer.from(text), maxBytes) : text;
  return { body, truncated: bytes > maxBytes };
}

/** UTF-8 without NUL (Postgres stores none); a character that the cut would split is left out. */
function decode(bytes: Buffer, maxBytes: number): string {
  const cut = bytes.length > maxBytes;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: cut }).replaceAll('\0', '');
}

/** Headers that belong to the connection, and compression, of which we want none: a cap counts plain bytes. */
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
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries([
    ['user-agent', userAgent],
    ...named.filter(([name]) => !OWN_HEADERS.has(name)),
    ['accept-encoding', 'identity'],
  ]);
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Headers that frame the connection (`Host`, `Content-Length`, …) are the client's own and ignored here. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** What it is called in traces; without, `outbound request`. */
  span?: { name: string; attributes: Attributes };
  /** Milliseconds for everything: waiting for a socket, DNS, connecting, headers, body. */
  timeoutMs: number;
  /** Of a longer body only this many bytes are read and the connection is dropped. */
  maxResponseBytes: number;
  signal?: AbortSignal;
  /**
   * Called when the request leaves. Until it returns, an abort guarantees that nothing was sent; afterwards it does not.
   */
  onStart?: () => void;
}

/** Any status is `ok`: a 3xx is not followed and a 5xx is the caller's to judge. */
export type OutboundResult =
  | {
      ok: true;
      statusCode: number;
      /** Names in lower case, repeated ones joined with `, `; 16 KiB at most. */
      headers: Record<string, string>;
      /** Well-formed and free of NUL, so that it can be stored; `maxResponseBytes` of UTF-8 at most. */
      body: string;
      truncated: boolean;
      durationMs: number;
    }
  | {
      ok: false;
      error: ShownErrorKind;
      message: string;
      /** For operators only: says of `unreachable_address` whether the name exists. */
      reason: OutboundErrorKind;
      durationMs: number;
    };
