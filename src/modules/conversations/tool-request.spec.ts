import { describe, expect, it } from '@jest/globals';
import { toolRequest } from './tool-request.js';

const tool = (method: 'GET' | 'POST' | 'DELETE', endpoint: string) => ({
  method,
  endpoint,
  headers: [{ name: 'X-Api-Key', value: 'k' }],
});

describe('toolRequest', () => {
  it('sends a query with GET and DELETE, beside the one that the URL has', () => {
    const { url, body } = toolRequest(tool('GET', 'https://example.com/orders?v=1'), {
      number: 4711,
      q: 'a&b',
    });
    expect(url).toBe('https://example.com/orders?v=1&number=4711&q=a%26b');
    expect(body).toBeUndefined();
  });

  it('sends a JSON object otherwise', () => {
    const request = toolRequest(tool('POST', 'https://example.com/orders'), { number: 4711, urgent: true });
    expect(request.body).toBe('{"number":4711,"urgent":true}');
    expect(request.headers).toEqual({ 'content-type': 'application/json', 'x-api-key': 'k' });
  });

  it('fills the parameters that stand in the URL, encoded, and sends them nowhere else', () => {
    const request = toolRequest(tool('POST', 'https://example.com/orders/{number}'), {
      number: '../a b',
      rest: 1,
    });
    expect(request.url).toBe('https://example.com/orders/..%2Fa%20b');
    expect(request.body).toBe('{"rest":1}');
  });

  it("keeps the tool's own content type", () => {
    const own = {
      ...tool('POST', 'https://example.com'),
      headers: [{ name: 'Content-Type', value: 'text/json' }],
    };
    expect(toolRequest(own, {}).headers).toEqual({ 'content-type': 'text/json' });
  });
});
