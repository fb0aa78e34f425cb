import { describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import splitSms from 'split-sms';
import { countSegments } from './segment-counter.js';

const ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

describe('countSegments', () => {
  it.each([
    ['nothing', '', 'gsm-7', 0, 1],
    ['one character', 'a', 'gsm-7', 1, 1],
    ['the whole basic alphabet', ALPHABET, 'gsm-7', 127, 1],
    ['the whole extension table', '\f^{}\\[~]|€', 'gsm-7', 20, 1],
    ['160 septets', 'a'.repeat(160), 'gsm-7', 160, 1],
    ['161 septets', 'a'.repeat(161), 'gsm-7', 161, 2],
    ['2 x 153', 'a'.repeat(306), 'gsm-7', 306, 2],
    ['2 x 153 + 1', 'a'.repeat(307), 'gsm-7', 307, 3],
    ['3 x 153', 'a'.repeat(459), 'gsm-7', 459, 3],
    ['3 x 153 + 1', 'a'.repeat(460), 'gsm-7', 460, 4],
    ['an extension as septets 159 and 160', `${'a'.repeat(158)}€`, 'gsm-7', 160, 1],
    ['an extension as septets 160 and 161', `${'a'.repeat(159)}€`, 'gsm-7', 161, 2],
    ['80 extensions', '€'.repeat(80), 'gsm-7', 160, 1],
    ['81 extensions', '€'.repeat(81), 'gsm-7', 162, 2],
    ['extensions leave a septet free in each part', '€'.repeat(152), 'gsm-7', 304, 2],
    ['and need a third part before 306', '€'.repeat(153), 'gsm-7', 306, 3],
    ['an extension that would be split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm-7', 306, 3],
    ['an extension that just is not', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 'gsm-7', 306, 2],
    ['70 units', 'ж'.repeat(70), 'ucs-2', 70, 1],
    ['71 units', 'ж'.repeat(71), 'ucs-2', 71, 2],
    ['2 x 67', 'ж'.repeat(134), 'ucs-2', 134, 2],
    ['2 x 67 + 1', 'ж'.repeat(135), 'ucs-2', 135, 3],
    ['one foreign character among 69', `${'a'.repeat(69)}ж`, 'ucs-2', 70, 1],
    ['one foreign character among 70', `${'a'.repeat(70)}ж`, 'ucs-2', 71, 2],
    ['an extension in UCS-2 is one unit', `${'€'.repeat(69)}ж`, 'ucs-2', 70, 1],
    ['35 emoji', '😀'.repeat(35), 'ucs-2', 70, 1],
    ['36 emoji', '😀'.repeat(36), 'ucs-2', 72, 2],
    ['66 emoji', '😀'.repeat(66), 'ucs-2', 132, 2],
    ['67 emoji leave a unit free in each part', '😀'.repeat(67), 'ucs-2', 134, 3],
    ['an emoji that would be split', `${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 'ucs-2', 134, 3],
    ['an emoji that just is not', `${'ж'.repeat(65)}😀${'ж'.repeat(67)}`, 'ucs-2', 134, 2],
    ['the longest body that the API takes', 'ж'.repeat(300), 'ucs-2', 300, 5],
    ['a lone surrogate is a unit', `${'ж'.repeat(69)}\ud83d`, 'ucs-2', 70, 1],
  ] as const)('%s', (_what, body, encoding, units, segments) => {
    expect(countSegments(body)).toEqual({ encoding, units, segments });
  });

  it.each(['`', 'ç', 'á', '’', '“', '–', '\t', 'Ё', '\u00a0', '\u001b'])('%j is not GSM-7', (character) => {
    expect(countSegments(character)).toEqual({ encoding: 'ucs-2', units: 1, segments: 1 });
  });
});

/**
 * Both follow 3GPP. They part only on text that is not well-formed: split-sms drops the character after a
 * lone high surrogate, here it stays a unit of its own. So the fuzz sends well-formed text.
 */
describe('against split-sms', () => {
  const seed = randomInt(2 ** 31);

  it(`agrees on 4,000 messages (seed ${seed})`, () => {
    const random = mulberry32(seed);
    const pools = [
      [...ALPHABET],
      ['a', '€', '{', '~'],
      [...ALPHABET, 'ж', '😀'],
      ['ж', '漢', '😀', '👩🏽', '€', 'a'],
    ];
    for (let round = 0; round < 4_000; round += 1) {
      const pool = pools[Math.floor(random() * pools.length)] ?? [];
      const length = Math.floor(random() * 480);
      const body = Array.from({ length }, () => pool[Math.floor(random() * pool.length)]).join('');
      const { characterSet, parts } = splitSms.split(body);
      const { encoding, segments } = countSegments(body);
      expect([seed, round, body, encoding, segments]).toEqual([
        seed,
        round,
        body,
        characterSet === 'GSM' ? 'gsm-7' : 'ucs-2',
        parts.length,
      ]);
    }
  });
});

/** A small generator with a seed, because Math.random has none. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
