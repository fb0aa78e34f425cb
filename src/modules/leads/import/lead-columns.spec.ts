import { describe, expect, it } from '@jest/globals';
import { Invalid } from '#src/common/errors/api-error.js';
import { parseLeadColumns } from './lead-columns.js';

const names = (columns: { name: string; index: number }[]) =>
  columns.map(({ name, index }) => `${index} ${name}`);

describe('parseLeadColumns', () => {
  it('finds the phone number, the contacts in the order of their index, and the variables', () => {
    const header = ['city', 'secondary_phone_10', 'phone_number', 'secondary_phone_2', 'toString'];
    const { phoneNumber, contacts, variables, count } = parseLeadColumns(header);
    expect([count, phoneNumber]).toEqual([5, 2]);
    expect(names(contacts)).toEqual(['3 secondary_phone_2', '1 secondary_phone_10']);
    expect(names(variables)).toEqual(['0 city', '4 toString']);
  });

  it.each([
    'Phone Number',
    'PHONE_NUMBER',
    'phone-number',
    'Phone',
    'PHONE',
    'phoneNumber',
    'Mobile Phone',
    'Telefon',
    'Téléphone:',
  ])('reads %s as the phone number', (name) => {
    expect(parseLeadColumns(['a', name]).phoneNumber).toBe(1);
  });

  it('accepts another name only where it is the only one and none is phone_number', () => {
    expect(parseLeadColumns(['phone', 'phone_number']).phoneNumber).toBe(1);
    expect(names(parseLeadColumns(['phone', 'phone_number']).variables)).toEqual(['0 phone']);
    expect(() => parseLeadColumns(['phone', 'mobile'])).toThrow(Invalid);
  });

  it.each([
    'timezone',
    'Timezone',
    'Time Zone',
    'time_zone',
    'TIME-ZONE',
    'timeZone',
    'tz',
    'TZ',
    'Lead Time Zone',
    'Timezone (IANA)',
    'IANA Timezone',
    'IANA TZ',
    'tz_name',
    'timeZoneId',
    'Local time zone',
    'Contact_TZ',
    'Customer Timezone Name',
    'TZ Database Name',
    'leadTimeZone',
    'tzid',
    'Time Zone:',
    'Zeitzone',
    'Zona horaria',
    'Fuso horário',
    'Fuseau horaire',
    'Time Zone (e.g. America/New_York)',
  ])('reads %s as timezone', (name) => {
    expect(names(parseLeadColumns(['phone_number', name]).variables)).toEqual(['1 timezone']);
  });

  it.each([
    'zone',
    'Time Zone Offset',
    'UTC Offset',
    'Time',
    'Agent Time Zone',
    'Delivery Zone',
    'Timezone Notes',
    'ritz',
  ])('leaves %s a variable of its name', (name) => {
    expect(names(parseLeadColumns(['phone_number', name]).variables)).toEqual([`1 ${name}`]);
  });

  it('leaves another column alone beside timezone', () => {
    const columns = parseLeadColumns(['phone_number', 'Time Zone', 'timezone']);
    expect(names(columns.variables)).toEqual(['1 Time Zone', '2 timezone']);
  });

  it('keeps the names of variables, and ignores columns without a name', () => {
    expect(names(parseLeadColumns(['phone_number', 'First Name', '', 'secondary_phone']).variables)).toEqual([
      '1 First Name',
      '3 secondary_phone',
    ]);
  });

  it.each([
    [['name'], 'must have a column named phone_number'],
    [['phone_number', 'a', 'a'], 'must not have two columns named a'],
    [['phone_number', 'Phone Number'], 'must not have two columns named phone_number'],
    [
      ['phone_number', ...Array.from({ length: 200 }, (_, index) => `c${index}`)],
      'must not have more than 200 columns',
    ],
    [['phone_number', '__proto__'], 'must not have a column named __proto__'],
  ])('refuses %j', (header, rule) => {
    const refuse = () => parseLeadColumns(header);
    expect(refuse).toThrow(Invalid);
    expect(refuse).toThrow(expect.objectContaining({ errors: { file: [`The file field ${rule}.`] } }));
  });
});
