import { describe, expect, it } from '@jest/globals';
import { isAllowedDestination } from './destinations.js';

describe('isAllowedDestination', () => {
  it.each([
    ['premium, United States', '+19005551234'],
    ['premium, an area code that is not assigned', '+19001115678'],
    ['exchange 976, United States', '+12129765555'],
    ['exchange 976, Canada', '+14169761234'],
    ['premium, United Kingdom', '+449098790123'],
    ['premium, France', '+33899123456'],
    ['premium, Switzerland', '+41900123456'],
    ['shared cost, France', '+33820123456'],
    ['shared cost, Germany', '+491801123456'],
    ['shared cost, Australia', '+611300123456'],
    ['personal number, United Kingdom', '+447012345678'],
    ['pager, United Kingdom', '+447640123456'],
    ['Inmarsat', '+870773111632'],
    ['universal personal number', '+878101234567890'],
    ['satellite', '+881612345678'],
    ['international network', '+8821634567890'],
    ['international network, a range without metadata', '+88299999999'],
    ['international network', '+883510012345'],
    ['disaster relief', '+888123456789'],
    ['international premium', '+979123456789'],
    ['international shared cost', '+80812345678'],
  ])('refuses %s', (_, number) => expect(isAllowedDestination(number, null)).toBe(false));

  it.each([
    ['a number of the United States', '+14155552671'],
    ['area code 976 is none, the last digits may be', '+14155559760'],
    ['toll-free', '+18665551234'],
    ['a mobile number', '+447400123456'],
    ['company-wide numbers cost what a local call costs', '+443001234567'],
    ['the Isle of Man shares +44 76 with pagers', '+447624123456'],
    ['Bangladesh, next to the satellites', '+8801812345678'],
    ['a range that the metadata does not know', '+12015550001'],
    ['international toll-free', '+80012345678'],
  ])('allows %s', (_, number) => expect(isAllowedDestination(number, null)).toBe(true));

  it.each([
    ['+14155552671', ['US'], true],
    ['+14165551234', ['US'], false],
    ['+18765551234', ['US'], false],
    ['+18765551234', ['JM'], true],
    ['+4930901820', ['US', 'DE'], true],
    ['+4930901820', [], false],
    ['+449098790123', ['GB'], false],
    ['+80012345678', ['US'], false],
  ])('with a list of countries: %s in %j is %s', (number, countries, verdict) => {
    expect(isAllowedDestination(number, countries)).toBe(verdict);
  });

  it('always allows the numbers of the sandbox', () => {
    expect(isAllowedDestination('+15005550020', null)).toBe(true);
    expect(isAllowedDestination('+15005550020', ['DE'])).toBe(true);
    expect(isAllowedDestination('+15005560020', ['DE'])).toBe(false);
  });
});
