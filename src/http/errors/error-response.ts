import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { isDatabaseUnavailable, isContentionError } from '#src/common/persistence/database-unavailable.js';
import { ApiError, INVALID_DATA, ServiceUnavailable } from '#src/common/errors/api-error.js';
import { sqlState } from '#src/common/errors/describe-error.js';

export { sqlState, UNIQUE_VIOLATION } from '#src/common/errors/describe-error.js';

export interface ErrorResponse {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** True for an unexpected error, which must be logged. */
  unexpected: boolean;
}

/** Expected, e.g. from `/health/ready` during an outage, or while the carrier does not answer. */
const UNAVAILABLE = [502, 503];

/** Texts for requests that the framework refuses before a handler is reached. */
const FRAMEWORK_TEXT: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
};

/** Converts any exception to the form of the API: `{message}` plus the fields of the API, nothing else. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof ApiError) {
    const body = { message: error.message, ...error.body };
    return {
      status: error.status,
      body,
      headers: error.headers,
      unexpected: error.status >= 500 && !UNAVAILABLE.includes(error.status),
    };
  }
  if (isDatabaseUnavailable(error) || isContentionError(error))
    return toErrorResponse(new ServiceUnavailable());
  if (isDataException(error)) return errorResponse(422, INVALID_DATA, { errors: {} });
  const status = frameworkStatus(error);
  const text = status === null ? undefined : (FRAMEWORK_TEXT[status] ?? refusalText(status));
  if (status !== null && text) return errorResponse(status, text);
  return { ...errorResponse(500, 'Server Error'), unexpected: true };
}

/** A plugin may refuse with any status: a 4xx is no failure of the service. */
const refusalText = (status: number): string | undefined =>
  status >= 400 && status < 500 ? STATUS_CODES[status] : undefined;

function errorResponse(status: number, message: string, body: Record<string, unknown> = {}): ErrorResponse {
  return { status, body: { message, ...body }, headers: {}, unexpected: false };
}

function frameworkStatus(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode;
  }
  return null;
}

/** SQLSTATE class 22 (data exception): the value cannot be stored. Handled in case validation missed it. */
function isDataException(error: unknown): boolean {
  const code = sqlState(error);
  return code !== null && code.startsWith('22');
}
