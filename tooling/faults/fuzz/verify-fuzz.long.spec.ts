import { describe, expect, it } from '@jest/globals';
import {
  responseProblem,
  memoryProblems,
  refusalProblems,
  resourceProblems,
  type FuzzResponse,
} from './verify-fuzz.js';

const answer = (status: number, body: object | string, retryAfter: string | null = null): FuzzResponse => ({
  route: 'GET /user/me',
  status,
  contentType: 'application/json; charset=utf-8',
  retryAfter,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('answerProblem', () => {
  it('accepts errors in the documented shape', () => {
    expect(responseProblem(answer(404, { message: 'Not Found' }))).toBeNull();
    expect(responseProblem(answer(422, { message: 'Wrong', errors: { a: ['The a is wrong.'] } }))).toBeNull();
  });

  it('refuses every 500 except the documented one', () => {
    expect(responseProblem(answer(500, { message: 'Server Error' }))).toBe('500: Server Error');
    expect(responseProblem(answer(500, { message: 'Failed to send SMS', error: 'x' }))).toBeNull();
  });

  it('refuses a 503 without Retry-After or with another text', () => {
    const body = { message: 'Service temporarily unavailable' };
    expect(responseProblem(answer(503, body, '1'))).toBeNull();
    expect(responseProblem(answer(503, body))).not.toBeNull();
    expect(responseProblem(answer(503, { message: 'Busy' }, '1'))).not.toBeNull();
  });

  it('accepts `Not ready` only of the readiness check', () => {
    const notReady = answer(503, { message: 'Not ready' });
    expect(responseProblem({ ...notReady, route: 'GET /health/ready' })).toBeNull();
    expect(responseProblem(notReady)).toBe('503 that nobody decided: Not ready');
  });

  it('accepts a further field only of the routes whose clients read it', () => {
    const missing = answer(404, { message: 'Not Found', error_code: 'SENDER_NOT_FOUND' });
    expect(responseProblem({ ...missing, route: 'POST /api/user/whatsapp/send' })).toBeNull();
    expect(responseProblem(missing)).toBe('404 has the field error_code');
    expect(responseProblem({ ...missing, route: 'POST /api/ai/generate-reply' })).toBe(
      '404 has the field error_code',
    );
  });

  it("refuses the framework's error shapes, other content types and stack traces", () => {
    expect(responseProblem(answer(404, { message: 'Not Found', statusCode: 404 }))).toBe(
      '404 has the field statusCode',
    );
    expect(responseProblem({ ...answer(400, 'Bad'), contentType: 'text/plain' })).toBe(
      '400 is text/plain, not JSON',
    );
    expect(responseProblem(answer(400, { message: 'at f (x.js:1:2)' }))).toBe('400 tells internals');
    expect(responseProblem(answer(422, { message: 'Wrong', errors: ['a'] }))).not.toBeNull();
  });
});

describe('memoryProblems', () => {
  const sample = (requests: number, megabytes: number) => ({
    requests,
    heapBytes: megabytes * 1024 * 1024,
    residentBytes: 300 * 1024 * 1024,
  });

  it('accepts constant memory', () => {
    expect(memoryProblems([sample(20, 60), sample(60, 70), sample(100, 65)])).toEqual([]);
  });

  it('refuses a growing heap', () => {
    expect(memoryProblems([sample(20, 60), sample(100, 120)])).toEqual([
      'the heap grew from 60.0 to 120.0 MB',
    ]);
  });

  it('refuses a run without samples to compare', () => {
    expect(memoryProblems([sample(20, 60)])).toHaveLength(1);
  });
});

describe('refusalProblems', () => {
  it('refuses a service that refuses most requests', () => {
    expect(
      refusalProblems(
        new Map([
          [200, 90],
          [429, 4],
        ]),
      ),
    ).toEqual([]);
    expect(
      refusalProblems(
        new Map([
          [200, 90],
          [503, 10],
        ]),
      ),
    ).toHaveLength(1);
    expect(refusalProblems(new Map())).toHaveLength(1);
  });
});

describe('resourceProblems', () => {
  it('refuses timers and sockets that stay open', () => {
    const before = { timers: 20, files: 50 };
    expect(resourceProblems([before, { timers: 40, files: 60 }])).toEqual([]);
    expect(resourceProblems([before, { timers: 51, files: 81 }])).toEqual([
      'the open timers grew from 20 to 51',
      'the open files grew from 50 to 81',
    ]);
    expect(resourceProblems([before])).toHaveLength(1);
  });
});
