import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { toErrorResponse } from '#src/http/errors/error-response.js';
import { DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.js';

const failed = (message: string, code?: string): Error =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error(message), { code }));
const AWAY: [string, Error][] = [
  ['a refused connection', new DatabaseUnavailable(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))],
  ['a pool without a free connection', new DatabaseUnavailable(new Error('timeout exceeded'))],
  ['a password that was changed', new DatabaseUnavailable(Object.assign(new Error(''), { code: '28P01' }))],
  ['a prepared query without a connection', failed('', 'EPIPE')],
  ['a broken connection', failed('Connection terminated unexpectedly')],
  ['a connection that was reset', failed('read ECONNRESET', 'ECONNRESET')],
  ...['08006', '57P01', '57P02', '57P03', '53300'].map((code): [string, Error] => [code, failed('', code)]),
];

describe('classification of database errors', () => {
  it.each(AWAY)('is an unavailable database: %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(toErrorResponse(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });

  it.each(['57014', '55P03', '25P03', '40P01'])('is a time limit or a deadlock: %s', (code) => {
    expect(isDatabaseUnavailable(failed('', code))).toBe(false);
    expect(toErrorResponse(failed('', code))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5' },
      unexpected: false,
    });
  });

  it.each([
    ['a statement that is wrong', failed('syntax error', '42601')],
    ['somebody else who refuses a connection', Object.assign(new Error(''), { code: 'ECONNREFUSED' })],
  ])('is another error: %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(toErrorResponse(error)).toMatchObject({ status: 500, unexpected: true });
  });
});
