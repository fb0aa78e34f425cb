/** The message names no prompt and no answer, so it may be logged. */
export class LanguageModelError extends Error {
  constructor(
    message: string,
    /** Whether the same request may succeed when it is sent again. */
    readonly retryable: boolean,
    /** The provider's HTTP status; null when there was no answer. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LanguageModelError';
  }
}
