import type { OutboundErrorKind, ShownErrorKind } from './outbound-failure.js';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Headers that frame the connection (`Host`, `Content-Length`, …) are the client's own and ignored here. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Milliseconds for everything: waiting for a socket, DNS, connecting, headers, body. */
  timeoutMs: number;
  /** Of a longer body only this many bytes are read and the connection is dropped. */
  maxResponseBytes: number;
  signal?: AbortSignal;
  /** Called when the request leaves: before, an abort guarantees that nothing was sent; afterwards it does not. */
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
