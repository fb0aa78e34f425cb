/**
 * `rejected`: nothing was placed, because the carrier said no or was never reached. `unknown`: no answer
 * came (time-out, reset, 5xx), so the request may have taken effect: reconcile, never repeat blindly.
 */
export type CarrierFailure = 'rejected' | 'unknown';

export interface CarrierErrorDetails extends ErrorOptions {
  /** The carrier's own error code, e.g. 21211. */
  code?: number | null;
  /** The carrier's own words. They may name phone numbers: for the account's owner, never for a log. */
  detail?: string | null;
  retryable?: boolean;
}

export class CarrierError extends Error {
  readonly code: number | null;
  readonly detail: string | null;
  /** Nothing was placed and the very same request may succeed later (rate limit, carrier unreachable). */
  readonly retryable: boolean;

  constructor(
    message: string,
    readonly failure: CarrierFailure,
    { code, detail, retryable, cause }: CarrierErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = 'CarrierError';
    this.code = code ?? null;
    this.detail = detail ?? null;
    this.retryable = failure === 'rejected' && retryable === true;
  }
}
