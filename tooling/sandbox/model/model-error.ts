/** An error in the format of the API. */
export class ModelError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    /** The invalid parameter. */
    readonly param: string | null = null,
    /** Some servers wrap the error in a list. */
    private readonly isListed = false,
  ) {
    super(message);
    this.name = 'ModelError';
  }

  static from(error: unknown): ModelError {
    if (error instanceof ModelError) return error;
    if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
      return new ModelError(error.statusCode, error.message);
    }
    return new ModelError(500, 'The server had an error while processing your request.');
  }

  static tooMany(): ModelError {
    return new ModelError(429, 'Rate limit reached for requests.', 'rate_limit_exceeded');
  }

  /** Seconds until the next request; null: no limit is reached. */
  get retryAfter(): number | null {
    return this.status === 429 ? 1 : null;
  }

  toBody() {
    const type =
      this.status >= 500 ? 'server_error' : this.status === 429 ? 'requests' : 'invalid_request_error';
    const body = { error: { message: this.message, type, param: this.param, code: this.code } };
    return this.isListed ? [body] : body;
  }
}
