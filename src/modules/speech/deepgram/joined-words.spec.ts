import { expect, it } from '@jest/globals';
import { joinedWords } from './joined-words.js';

it.each([
  ['My cousin once', 'sin once had it.', 'My cousin once had it.'],
  ['My cousin once', 'Once had it.', 'My cousin once had it.'],
  ['My cousin once', 'had it.', 'My cousin once had it.'],
  ['My cousin', 'in, once had it.', 'My cousin once had it.'],
  ['on and on, but where', 'on, but where was I', 'on and on, but where was I'],
  ['', 'My cousin', 'My cousin'],
  ['My cousin', '', 'My cousin'],
  ['我想', '订一张桌子。', '我想 订一张桌子。'],
])('joins %j and %j', (earlier, later, joined) => {
  expect(joinedWords(earlier, later)).toBe(joined);
});
