import { describe, expect, it } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { amount, countries, country, date, micros, scopes, wholeNumber } from './option-values.js';

describe('option values', () => {
  it('are parsed', () => {
    expect(amount('25.00')).toBe('25.00');
    expect(micros('0.04')).toBe(40_000n);
    expect(wholeNumber('10')).toBe(10);
    expect(country('gb')).toBe('GB');
    expect(countries('us, DE,us')).toEqual(['US', 'DE']);
    expect(countries('All')).toBe('all');
    expect(scopes('read, calls,read')).toEqual(['read', 'calls']);
    expect(date('2027-01-31')).toEqual(new Date('2027-01-31T00:00:00Z'));
    expect(date('2027-01-31T12:00:00+02:00')).toEqual(new Date('2027-01-31T10:00:00Z'));
  });

  it.each([
    [amount, '-1'],
    [amount, 'ten'],
    [micros, '1e5'],
    [wholeNumber, '1.5'],
    [wholeNumber, '-3'],
    [country, 'GBR'],
    [countries, ''],
    [countries, 'US,,DE'],
    [scopes, ''],
    [scopes, 'read,everything'],
    [date, '2027-02-30'],
    [date, '31.01.2027'],
    [date, '2027-01-31Tnoon'],
  ])('%p refuses %s', (read, text) => expect(() => read(text)).toThrow(InvalidArgumentError));
});
