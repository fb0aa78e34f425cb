import { describe, expect, it } from '@jest/globals';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { callingCodeOf, countryOf, isValidNumber, toE164 } from './phone.js';

describe('toE164', () => {
  it.each([
    ['+14155552671', 'DE', '+14155552671'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['415.555.2671', 'US', '+14155552671'],
    ['1-415-555-2671', 'US', '+14155552671'],
    ['14155552671', 'US', '+14155552671'],
    ['  +1 415 555 2671\n', 'US', '+14155552671'],
    ['+1\u00a0415\u00a0555\u00a02671', 'US', '+14155552671'],
    ['\u202a+1 415 555 2671\u202c', 'US', '+14155552671'],
    ['\ufeff+1 415\u200b 555 2671', 'US', '+14155552671'],
    ['＋１４１５５５５２６７１', 'US', '+14155552671'],
    ['+1 (415) 555–2671', 'US', '+14155552671'],
    ['+44 (0)20 7946 0958', 'US', '+442079460958'],
    ['0044 20 7946 0958', 'GB', '+442079460958'],
    ['0044 20 7946 0958', 'US', '+442079460958'],
    ['00 1 415 555 2671', 'US', '+14155552671'],
    ['011 44 20 7946 0958', 'US', '+442079460958'],
    ['0011 44 20 7946 0958', 'AU', '+442079460958'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['030/901820', 'DE', '+4930901820'],
    ['06 12345678', 'IT', '+390612345678'],
    ['8 (912) 345-67-89', 'RU', '+79123456789'],
    ['011 15-2345-6789', 'AR', '+5491123456789'],
    ['٠١٠٠١٢٣٤٥٦٧', 'EG', '+201001234567'],
    ['+800 1234 5678', 'US', '+80012345678'],
    ['+4915123456789', 'XX', '+4915123456789'],
  ])('%j in %s is %s', (input, country, e164) => expect(toE164(input, country)).toBe(e164));

  it.each(['+15005550001', '+15005550020', '+15555550100', '+12125550100', '+442079460000'])(
    'accepts the possible number %s, assigned or not',
    (number) => expect(toE164(number, 'DE')).toBe(number),
  );

  it.each([
    '',
    ' ',
    '+',
    '0',
    '911',
    '555-0100',
    '+123 456',
    '+1234567890123456',
    '+999 123 456 789',
    '+0234567890',
    '++14155552671',
    '+1+4155552671',
    '+14155552671 +14155552672',
    '4155552671 / 4155552672',
    '1-800-FLOWERS',
    '+14155552671 ext. 5',
    '+14155552671x5',
    '+14155552671#5',
    '+14155552671,,123',
    '+14155552671;ext=5',
    '+1415555267a',
    'a4155552671',
    '+14155552671;isub=5',
    '+14155552671;phone-context=example.com',
    '4155552671;phone-context=+1',
    'call 4155552671',
    'four one five',
    '<4155552671>',
    '+1 415 555\0 2671',
    "4155552671'--",
    '0'.repeat(64),
    `+14155552671${' '.repeat(53)}`,
  ])('refuses %j', (input) => expect(toE164(input, 'US')).toBeNull());

  it.each([
    ['+1234567890', '+1234567890'],
    ['+1 (415) 555-26711', '+141555526711'],
    ['00 1 415 555 267', '+1415555267'],
    ['+4930123', '+4930123'],
    ['+999 123', null],
    ['1234567890123', null],
  ])('accepts %j, whose length does not exist in its country: %s', (input, e164) =>
    expect(toE164(input, 'US')).toBe(e164),
  );

  it('does not parse a national number in an unknown country', () => {
    expect(toE164('0151 23456789', 'XX')).toBeNull();
    expect(toE164('0151 23456789', '')).toBeNull();
  });

  it.each(getCountries())('parses a mobile number of %s in each notation', (country) => {
    const number = getExampleNumber(country, examples);
    expect(number).toBeDefined();
    for (const written of [number?.number, number?.formatInternational(), number?.formatNational()]) {
      expect(toE164(written ?? '', country)).toBe(number?.number);
    }
    expect(isValidNumber(number?.number ?? '')).toBe(true);
    expect(callingCodeOf(number?.number ?? '')).toBe(number?.countryCallingCode);
  });
});

describe('isValidNumber', () => {
  it.each([
    ['+14155552671', true],
    ['+442079460958', true],
    ['+80012345678', true],
    ['+14155552671000', false],
    ['+11234567890', false],
    ['+12425550100', false],
    ['+999123456789', false],
    ['4155552671', false],
    ['', false],
  ])('%s: %s', (number, valid) => expect(isValidNumber(number)).toBe(valid));
});

describe('countryOf and callingCodeOf', () => {
  it.each([
    ['+14155552671', 'US', '1'],
    ['+12045550100', 'CA', '1'],
    ['+12423591234', 'BS', '1'],
    ['+18092345678', 'DO', '1'],
    ['+15005550020', 'US', '1'],
    ['+79123456789', 'RU', '7'],
    ['+77012345678', 'KZ', '7'],
    ['+442079460958', 'GB', '44'],
    ['+441481960194', 'GG', '44'],
    ['+447624123456', 'IM', '44'],
    ['+447924123456', 'GB', '44'],
    ['+390669812345', 'VA', '39'],
    ['+3906123456', 'IT', '39'],
    ['+80012345678', null, '800'],
    ['+11234567890', null, '1'],
    ['+999123456789', null, null],
    ['nonsense', null, null],
  ])('%s: %s, %s', (number, country, code) => {
    expect(countryOf(number)).toBe(country);
    expect(callingCodeOf(number)).toBe(code);
  });
});
