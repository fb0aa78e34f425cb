import { LanguageModelError } from './language-model.error.js';

/** Statuses after which the same request may succeed; every 5xx is one, too. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The provider's text is left out: it may quote the prompt. */
export function toLanguageModelError(error: unknown): LanguageModelError {
  if (error instanceof LanguageModelError) return error;
  const status = read(error, 'status');
  if (typeof status !== 'number') {
    return new LanguageModelError('The language model did not answer', true, null, { cause: cause(error) });
  }
  const code = read(error, 'code');
  const named = typeof code === 'string' && /^\w+$/.test(code) ? ` ${code}` : '';
  return new LanguageModelError(
    `The language model refused (${status}${named})`,
    status >= 500 || RETRYABLE.has(status),
    status,
  );
}

/** The fault of the connection itself, e.g. ECONNREFUSED: all that is safe to keep. */
const cause = (error: unknown): unknown => read(error, 'cause');

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
