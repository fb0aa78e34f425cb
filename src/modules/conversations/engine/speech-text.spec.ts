import { describe, expect, it } from '@jest/globals';
import { SpeechText } from './speech-text.js';

/** What is spoken of an answer that comes in pieces of one size. */
function spoken(text: string, size: number, language = 'en-US'): string {
  const speech = new SpeechText(language);
  let said = '';
  for (let at = 0; at < text.length; at += size) said += speech.add(text.slice(at, at + size));
  return said + speech.rest();
}

describe('SpeechText', () => {
  it('releases whole words as they come', () => {
    const speech = new SpeechText('en-US');
    expect([speech.add('Good '), speech.add('mor'), speech.add('ning, '), speech.rest()]).toEqual([
      'Good ',
      '',
      'morning, ',
      '',
    ]);
  });

  it.each([
    ['**Friday** is _free_ and `open`.', 'Friday is free and open.'],
    ['## Prices\n\n- Cut\n- Colour, long\n\nAnything else?', 'Prices. Cut. Colour, long. Anything else?'],
    ['See [our site](https://a.example/x?y=1) now.', 'See our site now.'],
    ['Go to https://www.shop.example/a/b?c=d, please.', 'Go to shop.example, please.'],
    ['![logo](https://a.example/l.png)Hello.', 'Hello.'],
    ['Great 😀👍🏽! See you 👨‍👩‍👧 🇩🇪.', 'Great ! See you .'],
    ['<b>Now</b> or never<br/>', 'Now or never'],
    ['2 < 3 and a_b stay, © too.', '2 < 3 and a_b stay, © too.'],
    ['It costs $20 or 5 €.', 'It costs 20 dollars or 5 euros.'],
    ['Open 9-17, call 555-0100 or 415-555-0100.', 'Open 9 to 17, call 555-0100 or 415-555-0100.'],
    ['At 14:30 or 9:15 or 16:00.', 'At 2:30 PM or 9:15 or 4 PM.'],
    ['On 2026-11-20.', 'On November 20, 2026.'],
    ['It is $1.5 million.', 'It is 1.5 million dollars.'],
  ])('speaks %j', (text, expected) => {
    for (const size of [1, 3, 7, 1000]) expect(spoken(text, size)).toBe(expected);
  });

  it.each([
    [
      'de-DE',
      'Von 9:00–17:30 Uhr, 19,99 €, am 2026-11-20.',
      'Von 9 Uhr bis 17 Uhr 30, 19,99 Euro, am 20. November 2026.',
    ],
    ['fr-FR', 'À 14:30, 1 €.', 'À 14 heures 30, 1 euro.'],
    ['ja-JP', '9-17 $5', '9-17 $5'],
  ])('says numbers in %s', (language, text, expected) => {
    for (const size of [1, 1000]) expect(spoken(text, size, language)).toBe(expected);
  });

  it('ends an answer that is too long at a sentence', () => {
    const said = spoken('This is one sentence of many. '.repeat(400), 9);
    expect(said.length).toBeGreaterThan(1_000);
    expect(said.length).toBeLessThan(1_040);
    expect(said.endsWith('of many.')).toBe(true);
  });

  it('ends one without sentences at a word', () => {
    const said = spoken('word '.repeat(2_000), 9);
    expect(said.length).toBeLessThanOrEqual(1_500);
    expect(said.endsWith('word')).toBe(true);
  });

  it('takes a bracket that nothing closes for text', () => {
    expect(spoken(`[${'a '.repeat(300)}`, 5)).toContain('[a a');
  });
});
