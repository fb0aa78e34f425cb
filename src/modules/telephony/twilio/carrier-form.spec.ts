import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '#src/common/errors/api-error.js';
import { formField, MAX_FORM_FIELDS, parseCarrierForm } from './carrier-form.js';

describe('parseCarrierForm', () => {
  it('returns a list for a repeated field', () => {
    const form = parseCarrierForm('a=1&b=x+y&a=2&a=3&__proto__=4');
    expect({ ...form }).toEqual(
      Object.fromEntries([
        ['a', ['1', '2', '3']],
        ['b', 'x y'],
        ['__proto__', '4'],
      ]),
    );
    expect(formField(form, 'a')).toBe('1');
  });

  it('accepts as many fields as the limit and no more', () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'a=1').join('&');
    expect(parseCarrierForm(fields(MAX_FORM_FIELDS)).a).toHaveLength(MAX_FORM_FIELDS);
    expect(() => parseCarrierForm(fields(MAX_FORM_FIELDS + 1))).toThrow(BadRequest);
  });
});
