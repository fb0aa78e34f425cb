/** A failure of a speech provider. The message contains no words of the call, so it may be logged. */
export class SpeechError extends Error {
  constructor(
    message: string,
    /** Whether the same request may succeed when it is sent again. */
    readonly retryable: boolean,
    /** The provider's HTTP status; null without a response. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SpeechError';
  }

  static fromStatus(what: string, status: number): SpeechError {
    return new SpeechError(
      `${what} was refused: ${status}`,
      status === 408 || status === 429 || status >= 500,
      status,
    );
  }
}
