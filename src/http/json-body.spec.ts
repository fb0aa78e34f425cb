import { describe, expect, it } from '@jest/globals';
import { BadRequest, Invalid } from '#src/common/errors/api-error.js';
import { parseJsonBody } from './json-body.js';

describe('parseJsonBody', () => {
  it('parses an empty body as an empty object', () => {
    expect(parseJsonBody('')).toEqual({});
    expect(parseJsonBody(' \n')).toEqual({});
  });

  it('reads a body after a byte order mark, but not one that contains it', () => {
    expect(parseJsonBody('\uFEFF{"a":1}')).toEqual({ a: 1 });
    expect(parseJsonBody('\uFEFF')).toEqual({});
    expect(parseJsonBody('\uFEFF\r\n {"a":"\uFEFF"}')).toEqual({ a: '\uFEFF' });
    expect(() => parseJsonBody('{\uFEFF"a":1}')).toThrow(BadRequest);
  });

  it('keeps keys that other layers remove', () => {
    const body = parseJsonBody('{"variables":{"__proto__":1,"constructor":2,"toString":3}}') as Record<
      string,
      object
    >;
    expect(Object.keys(body.variables ?? {})).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it.each(['{', '[]', '"text"', 'null', '7', '{"a":}'])('refuses %s', (text) => {
    expect(() => parseJsonBody(text)).toThrow(BadRequest);
  });

  it('refuses 5,000 levels without overflowing', () => {
    expect(() => parseJsonBody('{"a":'.repeat(5000) + '1' + '}'.repeat(5000))).toThrow(BadRequest);
    expect(() => parseJsonBody(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toThrow(BadRequest);
  });

  it('returns an error for the field whose text cannot be stored', () => {
    const errors = (text: string): unknown => {
      try {
        parseJsonBody(text);
      } catch (error) {
        return error instanceof Invalid ? error.errors : error;
      }
      return null;
    };
    expect(errors('{"a":{"b":"x\\u0000"}}')).toEqual({ 'a.b': ['The b field contains invalid characters.'] });
    expect(errors('{"name":"\\ud800"}')).toEqual({ name: ['The name field contains invalid characters.'] });
    expect(errors('{"name":"\\ud83d\\ude00"}')).toBeNull();
    expect(errors('{"a":[{"b":1},{"b":"\\u0000"}]}')).toEqual({
      'a.1.b': ['The b field contains invalid characters.'],
    });
  });

  it('returns errors for at most 20 fields, with paths of at most 200 characters', () => {
    const body = { ['k'.repeat(50_000)]: Array.from({ length: 5_000 }, () => '\0'), ...Array(50).fill('\0') };
    try {
      parseJsonBody(JSON.stringify(body));
      throw new Error('not refused');
    } catch (error) {
      const { errors } = error as Invalid;
      expect(Object.keys(errors)).toHaveLength(20);
      expect(JSON.stringify(errors).length).toBeLessThan(20 * 500);
    }
  });
});
