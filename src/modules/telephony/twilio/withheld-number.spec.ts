import { describe, expect, it } from '@jest/globals';
import { toCaller } from './withheld-number.js';

describe('toCaller', () => {
  it.each([
    undefined,
    '',
    ' ',
    'anonymous',
    'Anonymous',
    'RESTRICTED',
    'Unavailable',
    'sip:anonymous@anonymous.invalid',
    '+266696687',
    '266696687',
    '+7378742833',
    '+2562533',
    '+8656696',
    '+86282452253',
  ])('knows that %j is no number', (from) => {
    expect(toCaller(from)).toBeNull();
  });

  it.each(['+15005550020', '+17378742833', '+12666966870', 'sip:ada@example.com', 'client:ada'])(
    'leaves %s as it is',
    (from) => {
      expect(toCaller(from)).toBe(from);
    },
  );
});
