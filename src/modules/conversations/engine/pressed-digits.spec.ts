import { describe, expect, it } from '@jest/globals';
import { PressedDigits } from './pressed-digits.js';

describe('PressedDigits', () => {
  it.each([
    [['4111111111111111'], { card: '4111 1111 1111 1111' }, { card: '****' }],
    [['4111', '1111', '2222', '3333'], { card: '4111-1111-2222-3333' }, { card: '****' }],
    [['41111111'], { pin: 41111111, last: '1111' }, { pin: '****', last: '****' }],
    [['0427'], { pin: 427 }, { pin: '****' }],
    [
      ['427'],
      { list: [{ a: ['x427y', 427, 428, true, null] }] },
      { list: [{ a: ['x****y', '****', 428, true, null] }] },
    ],
    [['12'], { day: '12', year: 2012 }, { day: '****', year: 2012 }],
    [['1', '2'], { choice: 1, seats: '2', day: '12' }, { choice: 1, seats: '2', day: '12' }],
    [[], { pin: 4711 }, { pin: 4711 }],
  ])('of %j hides in %j', (keys, args, stored) => {
    const pressed = new PressedDigits();
    for (const one of keys) pressed.add(`[keys pressed: ${one}#]`);
    expect(pressed.masked(args)).toEqual(stored);
  });

  it('leaves arguments that could not be read', () => {
    const pressed = new PressedDigits();
    pressed.add('1234');
    expect(pressed.masked(null)).toBeNull();
  });
});
