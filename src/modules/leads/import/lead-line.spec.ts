import { describe, expect, it } from '@jest/globals';
import { parseLeadColumns, parseLeadLine } from './lead-columns.js';

const columns = parseLeadColumns(['phone_number', 'secondary_phone_1', 'secondary_phone_2', 'name']);
const read = (values: string[], allowDuplicates = false) =>
  parseLeadLine(values, { columns, country: 'US', allowDuplicates });

describe('parseLeadLine', () => {
  it('reads a lead with contacts and variables', () => {
    expect(read(['(415) 555-0101', '', '+44 20 7946 0123', 'Ada'])).toEqual({
      phone_number: '+14155550101',
      variables: { name: 'Ada' },
      contacts: [{ phone_number: '+442079460123', variables: {} }],
    });
  });

  it('accepts a short line: missing values are empty', () => {
    expect(read(['+14155550101'])).toEqual({
      phone_number: '+14155550101',
      variables: { name: '' },
      contacts: [],
    });
  });

  it('accepts a repeated number when duplicates are allowed', () => {
    const values = ['+14155550101', '+14155550101', '4155550101', 'Ada'];
    expect(read(values)).toMatchObject({ field: 'secondary_phone_1' });
    expect(read(values, true)).toMatchObject({
      contacts: [{ phone_number: '+14155550101' }, { phone_number: '+14155550101' }],
    });
  });

  it.each([
    [['', '', '', 'Ada'], 'phone_number', 'The phone number field is required.'],
    [['12', '', '', 'Ada'], 'phone_number', 'The phone number field must be a valid phone number.'],
    [['+14155550101', 'x'], 'secondary_phone_1', 'The secondary phone 1 field must be a valid phone number.'],
    [['+14155550101', '', '', 'a\0b'], 'name', 'The name field contains invalid characters.'],
    [['+14155550101', '', '', 'a\uFFFD'], 'name', 'The name field contains invalid characters.'],
    [
      ['+14155550101', '', '', 'a', '', 'b'],
      'file',
      'The file field has more values in this line than columns.',
    ],
    [['+14155550101', '', '', '"a\n1,"b"'], 'file', 'The file field has a quote in the wrong place.'],
    [
      ['+14155550101', '', '', 'a'.repeat(65_536)],
      'variables',
      'The variables field must not be larger than 64 kilobytes.',
    ],
  ])('refuses %j', (values, field, message) => {
    expect(read(values)).toEqual({ field, message });
  });
});
