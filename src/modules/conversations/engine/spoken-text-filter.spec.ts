import { describe, expect, it } from '@jest/globals';
import { SpokenTextFilter } from './spoken-text-filter.js';

/** What is spoken of an answer that comes in pieces of one size. */
function spoken(text: string, size: number, language = 'en-US'): string {
  const speech = new SpokenTextFilter(language);
  let said = '';
  for (let at = 0; at < text.length; at += size) said += speech.add(text.slice(at, at + size));
  return said + speech.flush();
}

describe('SpokenTextFilter', () => {
  it('releases complete words as they arrive', () => {
    const speech = new SpokenTextFilter('en-US');
    expect([speech.add('Good '), speech.add('mor'), speech.add('ning, '), speech.flush()]).toEqual([
      'Good ',
      '',
      'morning, ',
      '',
    ]);
  });

  it.each([
    [
      'zh-CN',
      ['今天天气', '很好，我们去', '散步吧。好', '吗？'],
      ['', '今天天气很好，', '我们去散步吧。', '好吗？', ''],
    ],
    ['ja-JP', ['はい、今日', 'は晴れ', 'です。明日'], ['はい、', '', '今日は晴れです。', '明日']],
  ])('releases %s up to a mark, which no blank follows', (language, tokens, expected) => {
    const speech = new SpokenTextFilter(language);
    expect([...tokens.map((token) => speech.add(token)), speech.flush()]).toEqual(expected);
  });

  it.each([
    ['**Friday** is _free_ and `open`.', 'Friday is free and open.'],
    ['## Prices\n\n- Cut\n- Colour, long\n\nAnything else?', 'Prices. Cut. Colour, long. Anything else?'],
    ['See [our site](https://a.example/x?y=1) now.', 'See our site now.'],
    ['Go to https://www.shop.example/a/b?c=d, please.', 'Go to shop.example, please.'],
    ['请访问https://www.shop.example/a?b=c，谢谢。', '请访问shop.example，谢谢。'],
    ['![logo](https://a.example/l.png)Hello.', 'Hello.'],
    ['Great 😀👍🏽! See you 👨‍👩‍👧 🇩🇪.', 'Great ! See you .'],
    ['<b>Now</b> or never<br/>', 'Now or never'],
    ['2 < 3 and a_b stay, © too.', '2 < 3 and a_b stay, © too.'],
    ['It costs $20 or 5 €.', 'It costs 20 dollars or 5 euros.'],
    ['Open 9-17, call 555-0100 or 415-555-0100.', 'Open 9 to 17, call 555-0100 or 415-555-0100.'],
    ['At 14:30 or 9:15 or 16:00.', 'At 2:30 PM or 9:15 or 4 PM.'],
    ['On 2026-11-20.', 'On November 20, 2026.'],
    ['It is $1.5 million.', 'It is 1.5 million dollars.'],
    ['[laughs] That is *very* kind. [pause]', 'That is very kind. '],
    ['Well (laughs), *sighs* yes [1].', 'Well , yes .'],
    ['We open at nine 【4:0†source】. 【Note】', 'We open at nine . 【Note】'],
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
    ['fr-FR', 'À 1:00, 0:30 ou 21:15.', 'À 1 heure, 0 heure 30 ou 21 heures 15.'],
    ['fr-CA', 'À 1:30 heure ou 2:00 heures.', 'À 1 heure 30 ou 2 heures.'],
    ['nl-NL', 'Om 1:00 uur.', 'Om 1 uur.'],
    ['ja-JP', '9-17 $5', '9 から 17 5 米ドル'],
    ['en-US', 'At 14:30 hrs, 14:30ish.', 'At 2:30 PM, 14:30ish.'],
    ['de-DE', 'Um 14:30h oder 9:00-17:30h.', 'Um 14 Uhr 30 oder 9 Uhr bis 17 Uhr 30.'],
    ['de-DE', 'Um 14:30 U-Bahn.', 'Um 14 Uhr 30 U-Bahn.'],
    ['nl-NL', 'Om 14:30 u.', 'Om 14 uur 30.'],
    ['en-US', 'On 2026-02-30 or 2026-13-01.', 'On 2026-02-30 or 2026-13-01.'],
    [
      'de-DE',
      'Unter 030-123, 0171 23-45 67 oder (030) 12-34.',
      'Unter 030-123, 0171 23-45 67 oder (030) 12-34.',
    ],
    ['en-US', 'Call 415 555-010 or +1 415 55-10.', 'Call 415 555-010 or +1 415 55-10.'],
    ['en-US', 'From 0-5, from 09:00-17:00.', 'From 0 to 5, from 9:00 to 5 PM.'],
  ])('speaks numbers in %s', (language, text, expected) => {
    for (const size of [1, 1000]) expect(spoken(text, size, language)).toBe(expected);
  });

  it('speaks a table row by row, without its lines', () => {
    const table = 'Our prices:\n\n| Cut | Price |\n|-----|:----:|\n| Short | 20 |\n| Long | 30 |';
    expect(spoken(table, 1000)).toBe('Our prices: Cut, Price. Short, 20. Long , 30');
    for (const size of [1, 3, 7]) expect(spoken(table, size)).not.toMatch(/[|-]/);
  });

  it.each([
    ['es-MX', 'Son $500 o $1.', 'Son 500 pesos o 1 peso.'],
    ['es-ES', 'Son $500.', 'Son 500 dólares.'],
    ['pt-BR', 'São R$ 1.200,00 ou R$1.', 'São 1.200,00 reais ou 1 real.'],
    ['pt-PT', 'São R$ 20.', 'São R$ 20.'],
    ['en-US', 'About $5-10, $5–$10 or 5-10 €.', 'About 5 to 10 dollars, 5 to 10 dollars or 5 to 10 euros.'],
    ['en-US', 'It is $1,234.50, or $2 billion.', 'It is 1,234.50 dollars, or 2 billion dollars.'],
    ['en-US', 'It is $20 monthly.', 'It is 20 dollars monthly.'],
    ['en-US', '$1.5k, $5-10k, CA$20, US$ 5 and $20 CAD.', '$1.5k, $5-10k, CA$20, US$ 5 and $20 CAD.'],
    ['es-MX', 'US$20, $500 USD y $2 millones.', 'US$20, $500 USD y $2 millones.'],
    ['en-US', '$0, $1, $1.00 or $21', '0 dollars, 1 dollar, 1.00 dollars or 21 dollars'],
    ['fr-FR', '0 €, 1,50 €, 2 € ou 21 €.', '0 euro, 1,50 euro, 2 euros ou 21 euros.'],
    ['ru-RU', '0 $, 1 $, 21 $ или 11 $', '0 долларов США, 1 доллар США, 21 доллар США или 11 долларов США'],
    ['de-DE', 'Etwa 5–10 €, oder 3 Mio. €.', 'Etwa 5 bis 10 Euro, oder 3 Mio. €.'],
    ['en-US', 'It is $2 trillion.', 'It is 2 trillion dollars.'],
    ['hi-IN', '₹5 लाख, ₹20', '₹5 लाख, 20 रुपए'],
    ['ja-JP', '¥5万です。¥5です', '¥5万です。5 円です'],
    ['ru-RU', '$5 млн, $2 миллиона', '$5 млн, $2 миллиона'],
    ['pl-PL', '€5 mln, €3 tys.', '€5 mln, €3 tys.'],
    ['id-ID', '$5 juta', '$5 juta'],
    ['tr-TR', '₺5 bin, ₺5', '₺5 bin, 5 lira'],
    ['fr-FR', 'C’est 1 001 € ou $1 200,50.', 'C’est 1 001 euros ou 1 200,50 dollars.'],
    ['de-CH', '1’200 € oder €1’001', '1’200 Euro oder 1’001 Euro'],
  ])('speaks money in %s: %s', (language, text, expected) => {
    for (const size of [1, 3, 1000]) expect(spoken(text, size, language)).toBe(expected);
  });

  it('ends an answer that is too long at a sentence', () => {
    const said = spoken('This is one sentence of many. '.repeat(400), 9);
    expect(said.length).toBeGreaterThan(1_000);
    expect(said.length).toBeLessThan(1_040);
    expect(said.endsWith('of many.')).toBe(true);
  });

  it.each([9, 100_000])('ends a Chinese answer that is too long at a sentence, in tokens of %i', (size) => {
    const said = spoken('这是许多句话中的一句。'.repeat(400), size, 'zh-CN');
    expect(said.length).toBeGreaterThan(1_000);
    expect(said.length).toBeLessThan(1_015);
    expect(said.endsWith('一句。')).toBe(true);
  });

  it.each(['word ', '天气 ', '天气'])('ends an answer of %j without sentences at a word', (word) => {
    const said = spoken(word.repeat(2_000), 9, 'zh-CN');
    expect(said.length).toBeGreaterThan(1_400);
    expect(said.length).toBeLessThanOrEqual(1_500);
    expect(said.endsWith(word.trim())).toBe(true);
  });

  it('treats an unclosed bracket as text', () => {
    expect(spoken(`[${'a '.repeat(300)}`, 5)).toContain('[a a');
  });

  it.each(['[', '![', '<a ', '| ', 'x', '[a]('])('reads a long response of %j only', (unit) => {
    for (const size of [4, 100_000])
      expect(spoken(unit.repeat(50_000), size).length).toBeLessThanOrEqual(1_500);
  });
});
