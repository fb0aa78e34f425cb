/**
 * `rejected`: nothing was placed, because the carrier refused it or was never reached. `unknown`: no answer came
 * (time-out, reset, 5xx), so the request may have taken effect: reconcile, never repeat blindly.
 */
export type CarrierFailure = 'rejected' | 'unknown';

export interface CarrierErrorDetails extends ErrorOptions {
  /** The carrier's own error code, e.g. 21211. */
  code?: number | null;
  /** The carrier's message. It may contain phone numbers: shown to the account's owner, never logged. */
  detail?: string | null;
  retryable?: boolean;
  /** The carrier's `Retry-After`. */
  retryAfterMs?: number | null;
}

export class CarrierError extends Error {
  readonly code: number | null;
  readonly detail: string | null;
  /** Nothing was placed, and the same request may succeed later (rate limit, wrong token, carrier unreachable). */
  readonly retryable: boolean;
  /** Null: not reported by the carrier. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    readonly failure: CarrierFailure,
    { code, detail, retryable, retryAfterMs, cause }: CarrierErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = 'CarrierError';
    this.code = code ?? null;
    this.detail = detail ?? null;
    this.retryable = failure === 'rejected' && retryable === true;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}
