import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '#src/common/errors/api-error.js';
import { field, MAX_FORM_FIELDS, parseCarrierForm } from './carrier-form.js';

describe('parseCarrierForm', () => {
  it('makes a list of a field that came more than once', () => {
    const form = parseCarrierForm('a=1&b=x+y&a=2&a=3&__proto__=4');
    expect({ ...form }).toEqual(
      Object.fromEntries([
        ['a', ['1', '2', '3']],
        ['b', 'x y'],
        ['__proto__', '4'],
      ]),
    );
    expect(field(form, 'a')).toBe('1');
  });

  it('takes as many fields as the limit says and no more', () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'a=1').join('&');
    expect(parseCarrierForm(fields(MAX_FORM_FIELDS)).a).toHaveLength(MAX_FORM_FIELDS);
    expect(() => parseCarrierForm(fields(MAX_FORM_FIELDS + 1))).toThrow(BadRequest);
  });
});
