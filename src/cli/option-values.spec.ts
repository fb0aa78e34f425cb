import { describe, expect, it } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import {
  parseAddresses,
  parseAmount,
  parseCountries,
  parseCountry,
  parseDate,
  parseMicros,
  parseScopes,
  parseWholeNumber,
} from './option-values.js';

describe('option values', () => {
  it('are parsed', () => {
    expect(parseAmount('25.00')).toBe('25.00');
    expect(parseMicros('0.04')).toBe(40_000n);
    expect(parseWholeNumber('10')).toBe(10);
    expect(parseCountry('gb')).toBe('GB');
    expect(parseCountries('us, DE,us')).toEqual(['US', 'DE']);
    expect(parseCountries('All')).toBe('all');
    expect(parseScopes('read, calls,read')).toEqual(['read', 'calls']);
    expect(parseAddresses('203.0.113.0/24, 2001:db8::1')).toEqual(['203.0.113.0/24', '2001:db8::1']);
    expect(parseDate('2027-01-31')).toEqual(new Date('2027-01-31T00:00:00Z'));
    expect(parseDate('2027-01-31T12:00:00+02:00')).toEqual(new Date('2027-01-31T10:00:00Z'));
  });

  it.each([
    [parseAmount, '-1'],
    [parseAmount, 'ten'],
    [parseMicros, '1e5'],
    [parseWholeNumber, '1.5'],
    [parseWholeNumber, '-3'],
    [parseCountry, 'GBR'],
    [parseCountries, ''],
    [parseCountries, 'US,,DE'],
    [parseScopes, ''],
    [parseScopes, 'read,everything'],
    [parseAddresses, ''],
    [parseAddresses, '203.0.113.0/33'],
    [parseAddresses, 'example.com'],
    [parseAddresses, Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`).join(',')],
    [parseDate, '2027-02-30'],
    [parseDate, '31.01.2027'],
    [parseDate, '2027-01-31Tnoon'],
  ])('%p refuses %s', (read, text) => expect(() => read(text)).toThrow(InvalidArgumentError));
});
