import { HttpException } from '@nestjs/common';
import { ApiError, INVALID_DATA } from './api-error.js';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** True when nobody foresaw this error, so that it must be logged. */
  unexpected: boolean;
}

/** Texts for what the framework refuses before a handler is reached. */
const FRAMEWORK_TEXT: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
};

/** Turns anything thrown into the contract's shape: `{message}` plus what the contract adds, nothing else. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ApiError) {
    const body = { message: error.message, ...error.body };
    return { status: error.status, body, headers: error.headers, unexpected: error.status >= 500 };
  }
  if (isDataException(error)) return answer(422, INVALID_DATA, { errors: {} });
  const status = frameworkStatus(error);
  const text = status === null ? undefined : FRAMEWORK_TEXT[status];
  if (status !== null && text) return answer(status, text);
  return { ...answer(500, 'Server Error'), unexpected: true };
}

function answer(status: number, message: string, body: Record<string, unknown> = {}): ErrorAnswer {
  return { status, body: { message, ...body }, headers: {}, unexpected: false };
}

function frameworkStatus(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode;
  }
  return null;
}

/** SQLSTATE class 22 (data exception): the value cannot be stored. A net below validation. */
function isDataException(error: unknown): boolean {
  const code = sqlState(error);
  return code !== null && code.startsWith('22');
}

/** SQLSTATE of a database error, e.g. `23505` for a unique violation; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const source = 'driverError' in error ? error.driverError : error;
  if (typeof source !== 'object' || source === null || !('code' in source)) return null;
  return typeof source.code === 'string' && /^[0-9A-Z]{5}$/.test(source.code) ? source.code : null;
}

/** For the log: class and frames, and the text unless it is a database error's, which may quote a caller's data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const state = sqlState(error);
  const safe = state === null ? `${error.name}: ${error.message}` : `${error.name} (SQLSTATE ${state})`;
  return [safe, ...frames].join('\n');
}
