import { beforeEach, describe, expect, it } from '@jest/globals';
import { TurnWords } from './turn-words.js';

const SPEECH =
  'And then there is the garden, which takes up all of my time since the summer began. My cousin once had the ' +
  'very same thing, or something close to it, and it went on and on and on for weeks. Oh, you know, I was just there.';
/** Seconds of a character, as people speak. */
const CHARACTER = 0.06;
const UPDATE = 0.25;

let words: TurnWords;

beforeEach(() => {
  words = new TurnWords();
});

/**
 * A stream hears the speech from one second to another one, and knows its whole words; at each second update the last
 * one is wrong. @param lag seconds that it takes for words
 */
function hear(from: number, to: number, lag = 0): void {
  const heard = (seconds: number): string => SPEECH.slice(at(from), at(from + seconds));
  for (let seconds = UPDATE; from + seconds <= to; seconds += UPDATE) {
    const known = heard(Math.max(0, seconds - lag));
    const whole = known.slice(0, known.lastIndexOf(' ') + 1).trim();
    const isWrong = Math.round(seconds / UPDATE) % 2 === 0;
    words.update(isWrong ? whole.replace(/\w(\W*)$/, 'x$1') : whole, seconds, false);
  }
}

const at = (seconds: number): number => Math.round(seconds / CHARACTER);

describe('the words of a turn', () => {
  it.each([
    [0, 2],
    [0, 3],
    [0.4, 3],
    [0.4, 8],
  ])(
    'has each word once, wherever another stream continues (words %d s late, %d s repeated)',
    (lag, repeated) => {
      const wrong: string[] = [];
      const length = SPEECH.length * CHARACTER;
      for (let broken = 2; broken < length - 1; broken += 0.11) {
        const from = Math.max(0, broken - repeated);
        words = new TurnWords();
        hear(0, broken, lag);
        words.continueInNextStream(from);
        hear(from, length, lag);
        words.update(SPEECH.slice(at(from)), length - from, true);
        if (words.text !== SPEECH) wrong.push(`${from} ${broken} ${words.text}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('has each word once where streams break again and again', () => {
    const length = SPEECH.length * CHARACTER;
    let from = 0;
    for (let broken = 2.3; broken < length; broken += 2.3) {
      hear(from, broken);
      const next = Math.max(0, broken - 3);
      words.continueInNextStream(next - from);
      from = next;
    }
    hear(from, length);
    words.update(SPEECH.slice(at(from)), length - from, true);
    expect(words.text).toBe(SPEECH);
  });

  it('has each word once where the next stream breaks before its first result', () => {
    const length = SPEECH.length * CHARACTER;
    hear(0, 10);
    words.continueInNextStream(2);
    words.continueInNextStream(0.1);
    hear(2.1, length);
    words.update(SPEECH.slice(at(2.1)), length - 2.1, true);
    expect(words.text).toBe(SPEECH);
  });

  it.each([
    ['My cousin once', 'sin once had it.', 'My cousin once had it.'],
    ['My cousin once', 'Once had it.', 'My cousin once had it.'],
    ['My cousin once', 'had it.', 'My cousin once had it.'],
    ['My cousin', 'in, once had it.', 'My cousin once had it.'],
    ['on and on, but where', 'on, but where was I', 'on and on, but where was I'],
    ['My cousin had', 'my cousin once had it.', 'My cousin once had it.'],
    ['', 'My cousin', 'My cousin'],
    ['My cousin', '', 'My cousin'],
    ['我想', '订一张桌子。', '我想 订一张桌子。'],
    ['私は、予約したい', '予約したいです。', '私は、予約したいです。'],
  ])('joins %j and %j', (earlier, later, joined) => {
    words.update(earlier, null, false);
    words.continueInNextStream(1);
    words.update(later, null, false);
    expect(words.text).toBe(joined);
  });

  it('keeps what is known until another stream knows more', () => {
    words.update('My cousin once had it', 3, false);
    words.continueInNextStream(0);
    words.update('My cousin', 1, false);
    expect(words.text).toBe('My cousin once had it');
    words.update('My cousin', 1, true);
    expect(words.text).toBe('My cousin');
  });
});
