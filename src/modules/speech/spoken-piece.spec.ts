import { describe, expect, it } from '@jest/globals';
import { SpokenPiece } from './spoken-piece.js';

const RATE = 24_000;
const CHUNK = RATE / 10;
const PLAIN = { interruptible: true, preemptible: false };

it.each([
  ['1,024', 40],
  ['8,191', 10],
  ['32,767', 10],
])('reports all words of a played piece, whose audio arrives in parts of %s samples', (size, count) => {
  const text = 'Hello, how can I help you?';
  const piece = new SpokenPiece(text, 1, PLAIN, RATE);
  for (let n = 0; n < count; n += 1) piece.append(new Int16Array(Number(size.replace(',', ''))));
  piece.finish();
  while (!piece.isCompletelySent) piece.takeAudio(CHUNK);
  piece.playedMs = piece.sentMs;
  expect(piece.takePlayed()).toBe(text);
  expect(piece.unplayedMs).toBe(0);
});

it.each([
  ['今天天气很好，我们去公园。', 600, '今天'],
  ['We meet at nine on Monday.', 600, 'We meet at'],
])('reports of %s, while its audio arrives, what is spoken in %i ms', (text, ms, words) => {
  const piece = new SpokenPiece(text, 1, PLAIN, RATE);
  piece.append(new Int16Array((RATE * ms) / 1_000));
  piece.takeAudio(Infinity);
  piece.playedMs = ms;
  expect(piece.takePlayed()).toBe(words);
});

describe.each([
  ['今天天气很好，我们去公园。', 8, '今天天气很好，'],
  ['我们今天去买iPhone手机。', 9, '我们今天去买'],
  ['今日はカフェで会いましょう。', 5, '今日は'],
  ['สวัสดีครับ', 8, 'สวัสดี'],
  ['We meet at nine.', 9, 'We meet'],
])('of %s', (text, characters, whole) => {
  /** 100 ms of audio for each character. */
  const piece = (): SpokenPiece => {
    const spoken = new SpokenPiece(text, 1, PLAIN, RATE);
    for (let count = 0; count < text.length; count += 1) spoken.append(new Int16Array(CHUNK));
    return spoken;
  };

  it(`the words before character ${characters} are reported when it is played`, () => {
    const spoken = piece();
    spoken.finish();
    spoken.playedMs = characters * 100 + 50;
    expect(spoken.takePlayed()).toBe(whole);
  });

  it('another voice goes on with the word in which the first one broke off', () => {
    const spoken = piece();
    expect(spoken.split((text.length / (characters + 0.5)) * 100)?.text).toBe(text.slice(whole.length));
    expect(spoken.text).toBe(whole);
  });
});
