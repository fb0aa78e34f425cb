import { describe, expect, it } from '@jest/globals';
import { readNumber } from '#src/common/phone/phone.js';
import { ignoredToolParts, readBuiltInTools } from './built-in-tools.js';

const read = (tools: unknown[]) => readBuiltInTools(tools, async (input) => readNumber(input, 'US'));
const END = { type: 'end_call', data: {} };
const SALES = { type: 'call_transfer', data: { phone_number: '+14155550103', description: 'Sales' } };

describe('readBuiltInTools', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['flat ones', [{ type: 'call_transfer', phone_number: '(415) 555-0103', description: 'Sales' }], [SALES]],
    ['those of answers', [END, SALES], [END, SALES]],
    ['lists of PHP', [{ type: 'end_call', data: [] }], [END]],
    ['fields beside an empty data', [{ ...SALES.data, type: 'call_transfer', data: {} }], [SALES]],
    [
      'one type once',
      [END, { type: 'end_call', description: 'Later' }, { type: 'dtmf_input' }],
      [END, { type: 'dtmf_input', data: {} }],
    ],
    ['transfers to several numbers', [SALES, SALES], [SALES, SALES]],
    ['empty descriptions as none', [{ type: 'end_call', description: '' }], [END]],
    [
      'nothing of other types',
      [{ type: 'collect_keypad', timeout: 5 }, { type: 'END_CALL' }, 5, null, 'x', []],
      [],
    ],
    ['nothing of mid call tools', [{ id: 5, name: 'check_order', description: 'x' }], []],
    [
      'no other keys',
      [{ type: 'dtmf_input', description: 'x', data: { phone_number: 'x' } }],
      [{ type: 'dtmf_input', data: {} }],
    ],
    ['no names of all objects', [{ type: 'constructor' }, { type: 'toString' }], []],
  ])('reads %s', async (_what, tools, builtIn) => {
    expect(await read(tools)).toEqual({ builtIn, errors: {} });
  });

  it.each<[unknown[], Record<string, string[]>]>([
    [[END, { type: 'call_transfer' }], { 'tools.1.phone_number': ['The phone number field is required.'] }],
    [
      [{ type: 'call_transfer', phone_number: 'nobody' }],
      { 'tools.0.phone_number': ['The phone number field must be a valid phone number.'] },
    ],
    [
      [{ type: 'call_transfer', data: { phone_number: 14155550103 } }],
      { 'tools.0.phone_number': ['The phone number field must be a valid phone number.'] },
    ],
    [
      [
        { ...SALES, description: 5 },
        { type: 'end_call', description: 'x'.repeat(501) },
      ],
      { 'tools.1.description': ['The description field must not be greater than 500 characters.'] },
    ],
    [
      [{ type: 'end_call', data: { description: 5 } }],
      { 'tools.0.description': ['The description field must be a string.'] },
    ],
    [
      Array.from({ length: 21 }, () => SALES),
      { tools: ['The tools field must not have more than 20 items of call_transfer.'] },
    ],
  ])('refuses what is wrong in %j', async (tools, errors) => {
    expect((await read(tools)).errors).toEqual(errors);
  });
});

describe('ignoredToolParts', () => {
  it.each<[unknown, string[]]>([
    [[END, SALES, { id: 5, name: 'check_order' }], []],
    [
      [END, { type: 'warm_call_transfer', supervisor_phone: '+1' }, { type: 'collect_keypad' }],
      ['tools.1', 'tools.2'],
    ],
    [[{ ...SALES, warm_transfer: true, custom: false, timezone: '' }], ['tools.0.warm_transfer']],
    [
      [{ type: 'call_transfer', data: { ...SALES.data, timezone: 'UTC', warm_transfer_message: 'Hi' } }],
      ['tools.0.timezone', 'tools.0.warm_transfer_message'],
    ],
    [
      [{ name: 'no type' }, 7, 'end_call', { type: ['end_call'] }],
      ['tools.0', 'tools.1', 'tools.2', 'tools.3'],
    ],
    [[null, {}, [], ''], []],
    ['end_call', []],
    [undefined, []],
  ])('of %j', (tools, names) => {
    expect(ignoredToolParts(tools)).toEqual(names);
  });
});
