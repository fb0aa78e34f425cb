/** Field name → messages, as the contract's `errors` object. */
export type FieldErrors = Record<string, string[]>;

/** Most field errors in one response, so that a request cannot produce a much larger response. */
export const MAX_FIELD_ERRORS = 20;
/** Characters of a field's path in `errors`, because keys of free-form objects are the client's. */
export const MAX_FIELD_PATH = 200;

/** An error response of the API. Any other exception becomes a 500 with a fixed text. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Further members of the body, e.g. `errors` or `data`. */
    readonly body: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export class NotFound extends ApiError {
  constructor(message: string) {
    super(404, message);
  }
}

export class BadRequest extends ApiError {
  constructor(message: string, body: Record<string, unknown> = {}) {
    super(400, message, body);
  }
}

export class Unauthenticated extends ApiError {
  constructor() {
    super(401, 'Unauthenticated.', {}, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** The token is valid, but does not have the scope of the route, which the header contains by RFC 6750. */
export class Forbidden extends ApiError {
  constructor(scope: string) {
    const header = `Bearer error="insufficient_scope", scope="${scope}"`;
    super(403, 'This action is unauthorized.', {}, { 'WWW-Authenticate': header });
  }
}

/** The token is valid, but not from the address of the client. */
export class AddressNotAllowed extends ApiError {
  constructor() {
    super(403, 'This API key may not be used from your address.');
  }
}

export const INVALID_DATA = 'The given data was invalid.';
/** In place of `INVALID_DATA` where the contract has it. */
export const VALIDATION_FAILED = 'Validation failed';

/** Contains the errors of the first `MAX_FIELD_ERRORS` fields. */
export class Invalid extends ApiError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors, message: string = INVALID_DATA) {
    const first = Object.fromEntries(
      Object.entries(errors)
        .slice(0, MAX_FIELD_ERRORS)
        .map(([path, texts]) => [path.slice(0, MAX_FIELD_PATH), texts]),
    );
    super(422, message, { errors: first });
    this.errors = first;
  }
}

/** 422 without `errors`: the request is well-formed, but a rule forbids it. */
export class Unprocessable extends ApiError {
  constructor(message: string) {
    super(422, message);
  }
}

/** `retryAfter` in seconds. */
export class TooManyRequests extends ApiError {
  constructor(retryAfter: number) {
    super(
      429,
      'Too many requests. Please try again later.',
      { retry_after: retryAfter },
      { 'Retry-After': String(retryAfter) },
    );
  }
}

/** Seconds: enough for the restart of a database, and for the release of a lock. */
const RETRY_AFTER = '5';

/** The database is away, or it ended the request: at a time limit, or because of a deadlock. */
export class ServiceUnavailable extends ApiError {
  constructor() {
    super(503, 'Service temporarily unavailable', {}, { 'Retry-After': RETRY_AFTER });
  }
}
