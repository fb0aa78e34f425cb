import { describe, expect, it } from '@jest/globals';
import { parseResponse } from './raw-http.js';

const parse = (text: string) => parseResponse(Buffer.from(text));

describe('parseAnswer', () => {
  it('reads status, type and body', () => {
    expect(parse('HTTP/1.1 404 Not Found\r\nContent-Type: text/a\r\nContent-Length: 2\r\n\r\n{}')).toEqual({
      status: 404,
      contentType: 'text/a',
      retryAfter: null,
      body: '{}',
    });
  });

  it('ends the body at Content-Length', () => {
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 400 Bad').body).toBe('{}');
  });

  it('joins chunks', () => {
    expect(
      parse('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n').body,
    ).toBe('abc');
  });

  it('has status 0 for bytes that are not a response', () => {
    expect(parse('').status).toBe(0);
  });
});
