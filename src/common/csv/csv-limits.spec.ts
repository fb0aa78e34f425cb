import { describe, expect, it } from '@jest/globals';
import { rowsOf } from './csv-rows.fake.js';
import { CsvScanner } from './csv-scanner.js';

describe('files that are invalid as a whole', () => {
  it.each([
    ['commas', ','.repeat(100_000)],
    ['values', 'x,'.repeat(201)],
    ['values in quotes', '"",'.repeat(201)],
  ])('refuses a line of too many %s, and continues after it', async (_, line) => {
    expect(await rowsOf(`a,b\n1,2\n${line}\n3,4\n`)).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
      [3, '! The line has more than 200 values.'],
      [4, '3', '4'],
    ]);
  });

  it.each([
    ['commas', ','],
    ['spaces', ' '],
    ['quotes', '""'],
    ['spaces behind a quote', '"" '],
    ['letters', 'x'],
  ])('stops at a line that does not end: %s', async (_, text) => {
    const start = text === '"" ' ? '"" ' : '';
    expect(
      await rowsOf(
        `a,b\n${start}${text.trim() === '' || start ? ' '.repeat(400_000) : text.repeat(400_000)}\n3,4\n`,
      ),
    ).toEqual([
      [1, 'a', 'b'],
      [2, '! The line is too long, or a quote is not closed; nothing was read from here on.'],
    ]);
  });

  it('returns each row before it reads the next one', () => {
    const scanner = new CsvScanner({ separator: ',', lineEnd: '\n' });
    const rows = scanner.read(`a,b\n${'x'.repeat(400_000)}`);
    expect([rows.next().value, scanner.failed]).toEqual([{ line: 1, values: ['a', 'b'] }, false]);
    expect([[...rows].length, scanner.failed]).toEqual([1, true]);
  });

  it('reports that a spreadsheet is not text', async () => {
    const refusal = [[1, '! The file field must be text, not a spreadsheet: save it as CSV.']];
    expect(await rowsOf(Buffer.from('PK\x03\x04\x14\0rest', 'latin1'))).toEqual(refusal);
    expect(await rowsOf(Buffer.from('\xd0\xcf\x11\xe0rest', 'latin1'))).toEqual(refusal);
  });

  it('does not depend on the chunk boundaries of a file', async () => {
    const rows = Array.from({ length: 4_000 }, (_, n) => `"a ""${n}""\r\n","é${n}" ,${'x'.repeat(n % 50)}`);
    const result = await rowsOf(`h1,h2,h3\r\n${rows.join('\r\n')}`);
    expect(result).toHaveLength(4_001);
    for (const [n, row] of result.slice(1).entries())
      expect(row).toEqual([2 + 2 * n, `a "${n}"`, `é${n}`, 'x'.repeat(n % 50)]);
  });
});
