import { expect, it } from '@jest/globals';
import { SpokenPiece } from './spoken-piece.js';

const RATE = 24_000;
const CHUNK = RATE / 10;

it.each([
  ['1,024', 40],
  ['8,191', 10],
  ['32,767', 10],
])('reports all words of a played piece, whose audio arrives in parts of %s samples', (size, count) => {
  const text = 'Hello, how can I help you?';
  const piece = new SpokenPiece(text, 1, { interruptible: true, preemptible: false }, RATE);
  for (let n = 0; n < count; n += 1) piece.append(new Int16Array(Number(size.replace(',', ''))));
  piece.finish();
  while (!piece.isCompletelySent) piece.takeAudio(CHUNK);
  piece.playedMs = piece.sentMs;
  expect(piece.takePlayed()).toBe(text);
  expect(piece.unplayedMs).toBe(0);
});
