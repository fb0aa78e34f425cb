/** An answer with a status of 400 or more, or none: then `status` is 0. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Messages by field, e.g. `windows.0.from`. */
    readonly errors: Record<string, string[]> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Of a response that is not in the API's shape, the message is its status: a proxy has answered. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { message, errors, error } = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: unknown;
    errors?: unknown;
    /** What the carrier said, where it refused; of some routes the message once more. */
    error?: unknown;
  };
  const words = typeof error === 'string' && error !== '' && error !== message ? ` (${error})` : '';
  return new ApiError(
    response.status,
    typeof message === 'string' ? message + words : `${response.status} ${response.statusText}`.trim(),
    typeof errors === 'object' && errors !== null ? (errors as Record<string, string[]>) : {},
  );
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;
