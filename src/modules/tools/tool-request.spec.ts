import { describe, expect, it } from '@jest/globals';
import { ToolArgumentError, buildToolRequest } from './tool-request.js';

const tool = (method: 'GET' | 'POST' | 'DELETE', endpoint: string) => ({
  method,
  endpoint,
  headers: [{ name: 'X-Api-Key', value: 'k' }],
});

describe('buildToolRequest', () => {
  it('sends a query with GET and DELETE, beside the one that the URL has', () => {
    const { url, body } = buildToolRequest(tool('GET', 'https://example.com/orders?v=1'), {
      number: 4711,
      q: 'a&b',
    });
    expect(url).toBe('https://example.com/orders?v=1&number=4711&q=a%26b');
    expect(body).toBeUndefined();
  });

  it('sends a JSON object otherwise', () => {
    const request = buildToolRequest(tool('POST', 'https://example.com/orders'), {
      number: 4711,
      urgent: true,
    });
    expect(request.body).toBe('{"number":4711,"urgent":true}');
    expect(request.headers).toEqual({ 'content-type': 'application/json', 'x-api-key': 'k' });
  });

  it('fills the parameters that stand in the URL, encoded, and sends them nowhere else', () => {
    const request = buildToolRequest(tool('POST', 'https://example.com/orders/{number}'), {
      number: 'x/a b..',
      rest: 1,
    });
    expect(request.url).toBe('https://example.com/orders/x%2Fa%20b..');
    expect(request.body).toBe('{"rest":1}');
  });

  it.each([
    ['an object', { toString: 1 }, '{"toString":1}'],
    ['a list', [1, { valueOf: 2 }, ['a']], '1,{"valueOf":2},a'],
    ['half a surrogate pair', 'a\ud800', 'a\ufffd'],
    ['null', null, 'null'],
  ])('sends %s in the path and in the query', (_, value, text) => {
    const url = 'https://example.com/orders';
    expect(buildToolRequest(tool('POST', `${url}/{value}`), { value }).url).toBe(
      `${url}/${encodeURIComponent(text)}`,
    );
    const { searchParams } = new URL(buildToolRequest(tool('GET', url), { value }).url);
    expect(searchParams.get('value')).toBe(text);
  });

  it.each([
    ['..'],
    ['.'],
    ['../admin'],
    ['a/../../admin'],
    ['..\\admin'],
    ['%2e%2e'],
    ['%2E%2e%2Fadmin'],
    ['.%2e'],
    ['%252e%252e'],
    ['x%5c..'],
  ])('refuses a path parameter that leaves the path: %s', (number) => {
    const endpoint = 'https://example.com/orders/{number}/items';
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect(() => buildToolRequest(tool(method, endpoint), { number })).toThrow(ToolArgumentError);
    }
  });

  it('refuses values that leave the path only together with the text beside them', () => {
    const endpoint = 'https://example.com/orders/.{one}/{two}{three}';
    expect(() => buildToolRequest(tool('GET', endpoint), { one: '.', two: 'a', three: 'b' })).toThrow(
      ToolArgumentError,
    );
    expect(() => buildToolRequest(tool('GET', endpoint), { one: 'a', two: '.', three: '.' })).toThrow(
      ToolArgumentError,
    );
    expect(buildToolRequest(tool('GET', endpoint), { one: 'a', two: 'b', three: '.' }).url).toBe(
      'https://example.com/orders/.a/b.',
    );
  });

  it('accepts dots in names of files, in versions and in the query', () => {
    const { url } = buildToolRequest(tool('GET', 'https://example.com/v1.0/{file}?from={from}'), {
      file: 'a..b.pdf',
      from: '..',
      q: '../x',
    });
    expect(url).toBe('https://example.com/v1.0/a..b.pdf?from=..&q=..%2Fx');
  });

  it("keeps the tool's own content type", () => {
    const own = {
      ...tool('POST', 'https://example.com'),
      headers: [{ name: 'Content-Type', value: 'text/json' }],
    };
    expect(buildToolRequest(own, {}).headers).toEqual({ 'content-type': 'text/json' });
  });
});
