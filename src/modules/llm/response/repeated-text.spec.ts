import { describe, expect, it } from '@jest/globals';
import { readResponse } from './read-response.fake.js';
import { RepeatedText } from './repeated-text.js';

const HELLO = 'We open at nine. The kitchen opens at ten.';
const WORDS = HELLO.match(/\S+\s*/g) ?? [];
const TOKENS = HELLO.match(/\s*\S+/g) ?? [];
const growing = (pieces: readonly string[]): string[] =>
  pieces.map((_, index) => pieces.slice(0, index + 1).join(''));

const said = (pieces: readonly string[]): string => {
  const text = new RepeatedText();
  return pieces.map((piece) => text.push(piece)).join('') + text.end();
};

describe('a text that pieces repeat', () => {
  it.each<[string, string[]]>([
    ['growing by words', growing(WORDS)],
    ['growing by words with the blank in front', growing(TOKENS)],
    ['growing by characters', growing([...HELLO])],
    ['growing in two steps', ['We', HELLO]],
    ['growing by sentences', ['We open at nine.', HELLO]],
    ['growing, behind blanks', growing(['\n\n', ...WORDS])],
    ['growing, each piece twice', growing(WORDS).flatMap((piece) => [piece, piece])],
    ['growing, and the whole again', [...growing(WORDS), HELLO]],
    ['growing, and the whole with a blank', [...growing(WORDS), `${HELLO} `]],
    ['growing without the blank at the end', growing(WORDS).map((piece) => piece.trimEnd())],
    ['whole at the end', [...WORDS, HELLO]],
    ['whole at the end, of tokens', [...TOKENS, HELLO]],
    ['whole at the end, of characters', [...HELLO, HELLO]],
    ['whole at the end, behind a blank', [...WORDS, ' ', HELLO]],
    ['whole at the end, with a blank in front', [...TOKENS, ` ${HELLO}`]],
    ['whole at the end, twice', [...TOKENS, HELLO, HELLO]],
    ['whole at the end, of one piece', [HELLO, HELLO]],
    ['whole at the end, with the rest', [...TOKENS.slice(0, 5), HELLO]],
  ])('is said once: %s', (_, pieces) => {
    expect(said(pieces).trim()).toBe(HELLO);
  });

  it.each([
    ['no', ' no', ' no'],
    ['no ', 'no ', 'no'],
    ['No, ', 'no, ', 'no!'],
    ['no ', 'no ', 'no ', 'no no no '],
    ['no', ' no'],
    ['ha', 'ha', 'ha'],
    ['o', 'ops'],
    ['谢', '谢', '！'],
    ['.', '.', '.'],
    ['Bye. ', 'Bye. ', 'Bye.'],
    ['Bye.', ' Bye.'],
    ['We open at nine. ', 'We open at nine.'],
    ['We open at nine.', ' We open at nine.', ' Really.'],
    ['We open at nine. ', 'We open at nine. That is early.'],
    [...WORDS, ' ', ...WORDS],
    [...HELLO, ' ', ...HELLO],
    [...TOKENS, ' We open', ' at nine.'],
    ['One ', 'two ', 'three. ', 'One ', 'two ', 'three.'],
    ['One ', 'two ', 'one ', 'One two one three. ', 'More.'],
    ['I ', 'I ', 'think so.'],
    ['1', '1', '1'],
    ['`', '`', '`json', '{}'],
    ['11', '11', '2'],
    ['`', '`', '`'],
  ])('is said as often as a model says it: %j', (...pieces) => {
    expect(said(pieces)).toBe(pieces.join(''));
  });

  it('is read in linear time', () => {
    const started = process.cpuUsage().user;
    for (const piece of ['a', ' ', 'no ', 'a b ']) said(Array.from({ length: 100_000 }, () => piece));
    expect(process.cpuUsage().user - started).toBeLessThan(3_000_000);
  });
});

describe('a response whose frames repeat its text', () => {
  const frame = (choice: object): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
  const END = [frame({ delta: {}, finish_reason: 'stop' }), 'data: [DONE]\n\n'];
  const deltas = (pieces: readonly string[]): string[] =>
    pieces.map((content) => frame({ delta: { content } }));
  const CALL = '<tool_call>{"name":"look_up","arguments":{"day":"Monday"}}</tool_call>';

  it.each<[string, string[]]>([
    ['growing deltas', deltas(growing(WORDS))],
    ['growing deltas and a message', [...deltas(growing(WORDS)), frame({ message: { content: HELLO } })]],
    ['deltas and a message', [...deltas(WORDS), frame({ message: { content: HELLO } })]],
    ['growing deltas that think', deltas(growing(['<think>', 'secret', '</think>', ...WORDS]))],
    [
      'a last delta with the reason',
      [...deltas(TOKENS), frame({ delta: { content: HELLO }, finish_reason: 'stop' })],
    ],
    [
      'two ends with all of it',
      [...deltas(TOKENS), ...deltas([HELLO]), frame({ delta: { content: HELLO }, finish_reason: 'stop' })],
    ],
  ])('says it once: %s', async (_, frames) => {
    for (const isSpoken of [true, false]) {
      const { text, error } = await readResponse([...frames, ...END], ['look_up'], isSpoken);
      expect([text.trim(), error]).toEqual([HELLO, null]);
    }
  });

  it('calls the tool once', async () => {
    for (const pieces of [growing(CALL.split(/(?<=[ >:])/)), [...CALL, CALL]]) {
      const { text, calls } = await readResponse([...deltas(pieces), ...END], ['look_up']);
      expect([text, calls.map(({ arguments: args }) => args)]).toEqual(['', ['{"day":"Monday"}']]);
    }
  });
});
