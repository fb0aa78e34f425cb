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
    [['4711'], { pin: 'four seven one one', all: 'one' }, { pin: '****', all: 'one' }],
    [[], { pin: 4711 }, { pin: 4711 }],
  ])('of %j hides in %j', (keys, args, stored) => {
    const pressed = new PressedDigits();
    for (const one of keys) pressed.add(`[keys pressed: ${one}#]`);
    expect(pressed.maskArguments(args)).toEqual(stored);
  });

  it.each([
    [['41111111'], 'Your card 4111 1111, right?', 'Your card **** ****, right?'],
    [['4111', '1111'], '4111-1111', '****-****'],
    [['4111'], '{"pin":"4111","left":12}', '{"pin":"****","left":12}'],
    [['12', '7'], 'At 12:30 on the 7th, for 127 €.', 'At 12:30 on the 7th, for *** €.'],
    [['2'], 'In 2022, 2 of 22.', 'In 2022, 2 of 22.'],
    [[], 'The pin is 4711.', 'The pin is 4711.'],
    [['1234'], 'You pressed one two three four.', 'You pressed *** *** ***** ****.'],
    [['1234'], 'One, two, three-four! 1 two 3 four.', '***, ***, *****-****! * *** * ****.'],
    [['4711'], 'Vier, sieben, eins, eins: richtig?', '****, ******, ****, ****: richtig?'],
    [['507'], 'Ha pulsado cinco cero siete.', 'Ha pulsado ***** **** *****.'],
    [['12', '34'], 'One two three four', '*** *** ***** ****'],
    [['111'], 'Someone phoned one hundred people, none won.', 'Someone phoned one hundred people, none won.'],
    [['12'], 'One two.', 'One two.'],
    [[], 'One two three four.', 'One two three four.'],
  ])('of %j hides in the words %j', (keys, text, stored) => {
    const pressed = new PressedDigits();
    for (const one of keys) pressed.add(`[keys pressed: ${one}#]`);
    expect(pressed.maskText(text)).toBe(stored);
  });

  it('keeps arguments that cannot be read', () => {
    const pressed = new PressedDigits();
    pressed.add('1234');
    expect(pressed.maskArguments(null)).toBeNull();
  });
});
