import { describe, expect, it } from '@jest/globals';
import { endsSentence, SentenceSplitter } from './sentence-splitter.js';

function cut(text: string, size = 3): string[] {
  const cutter = new SentenceSplitter();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...cutter.push(text.slice(at, at + size)));
  return [...pieces, cutter.flush()].filter(Boolean);
}

describe('SentenceSplitter', () => {
  it.each([1, 3, 1_000])('cuts after sentences, in tokens of %i characters', (size) => {
    expect(cut('How are you today? I am “fine.” Thanks a lot… Good', size)).toEqual([
      'How are you today? ',
      'I am “fine.” ',
      'Thanks a lot… ',
      'Good',
    ]);
  });

  it('cuts the first sentence of a speech after its first long clause, and no other', () => {
    const text =
      'Well, on Friday at nine there is a place, and at ten. On Monday afternoon we are full, sorry.';
    expect(cut(text)).toEqual([
      'Well, on Friday at nine there is a place, ',
      'and at ten. ',
      'On Monday afternoon we are full, sorry.',
    ]);
    const cutter = new SentenceSplitter();
    const pieces = ['We open at nine in the morning, ', 'or so.'];
    expect([cutter.push(pieces.join('')), cutter.flush(), cutter.push(pieces.join(''))]).toEqual([
      [pieces[0]],
      pieces[1],
      [pieces[0]],
    ]);
  });

  it.each([
    'Dr. No has 1.5 dogs',
    'Write to ada@example.com today',
    'Your appointment is with Dr. Smith or Mrs. J. Miller',
    'Wir haben am 20. November noch Platz',
    'Vom 20./21. bis 24. Dezember ist z. B. Prof. Huber da',
    'Su cita es con la Sra. García',
    'Приходите на ул. Ленина',
  ])('does not cut %j at abbreviations, ordinals, numbers and addresses', (text) => {
    for (const size of [1, 3, 1_000]) expect(cut(text, size)).toEqual([text]);
  });

  it.each([
    [['We open in 2026. ', 'Please call again.']],
    [['It costs $20. ', 'Is that fine?']],
    [['Er sagte: „Ja, gern.“ ', 'Dann legte er auf.']],
    [['आपका दिन शुभ हो। ', 'फिर मिलेंगे।']],
    [['كيف يمكنني مساعدتك؟ ', 'أنا أسمعك.']],
  ])('cuts %j', (pieces) => {
    for (const size of [1, 3, 1_000]) expect(cut(pieces.join(''), size)).toEqual(pieces);
  });

  it.each([
    [['بالتأكيد يمكننا أن نلتقي غداً، ', 'إذا كان ذلك يناسبك']],
    [['星期五上午九点到十点我们有时间，', '您看哪个时间比较方便呢']],
  ])('cuts the first sentence %j after its clause', (pieces) => {
    for (const size of [1, 3, 1_000]) expect(cut(pieces.join(''), size)).toEqual(pieces);
  });

  it('cuts after the marks of Chinese and Japanese, which no space follows', () => {
    expect(cut('今日はとてもいい天気ですね。散歩に行きましょう')).toEqual([
      '今日はとてもいい天気ですね。',
      '散歩に行きましょう',
    ]);
    expect(cut('我帮您查。星期五有时间。那好')).toEqual(['我帮您查。星期五有时间。', '那好']);
    expect(cut('好的，我帮您查。您要星期几')).toEqual(['好的，我帮您查。', '您要星期几']);
  });

  it.each(['word '.repeat(200), 'word, word '.repeat(100), 'a'.repeat(1_000)])(
    'splits a text without an end into pieces that add up to it',
    (text) => {
      const pieces = cut(text);
      expect(pieces.join('')).toBe(text);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
    },
  );
});

describe('endsSentence', () => {
  it.each([
    ['That is all.', true],
    ['**That is all.** \n', true],
    ['这是全部。', true],
    ['هل هذا كل شيء؟', true],
    ['बस इतना ही।', true],
    ['That is', false],
    ['Ask Dr.', false],
    ['Am 20.', false],
    ['Fine. Then', false],
  ])('%j: %s', (text, expected) => {
    expect(endsSentence(text)).toBe(expected);
  });
});
