import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { csvStream } from './csv-stream.js';

type Row = { value: string | number | object | null };

/** The file with one column and one row. */
async function written(value: Row['value']): Promise<string> {
  const next = async (last: Row | null): Promise<Row[]> => (last ? [] : [{ value }]);
  const file = await csvStream<Row>({
    name: 'a.csv',
    columns: { value: (row) => row.value },
    readRowsAfter: next,
  });
  return (await text(file.getStream())).replace('value\r\n', '').replace(/\r\n$/, '');
}

describe('csvStream', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+cmd', `'+cmd`],
    ['-1', `'-1`],
    ['@sum', `'@sum`],
    ['＝1', `'＝1`],
    [' =1', ` '=1`],
    ['Anna;=1', `"Anna;'=1"`],
    ['Anna; =1', `"Anna; '=1"`],
    ['Anna;"=1"', `"Anna;""'=1"""`],
    ['Anna;;-1', `"Anna;;'-1"`],
    ['Anna\t@sum', `"Anna\t'@sum"`],
    ['Anna\n+1', `"Anna\n'+1"`],
    ['=1;=2\t=3', `"'=1;'=2\t'=3"`],
  ])('has an apostrophe before what a spreadsheet would execute: %j', async (value, line) =>
    expect(await written(value)).toBe(line),
  );

  it('also within JSON, which stays JSON', async () => {
    const line = await written({ name: 'Anna;=1', note: '=1' });
    expect(line).toBe(`"{""name"":""Anna;'=1"",""note"":""=1""}"`);
  });

  it.each([
    ['+14155552671', '+14155552671'],
    ['a-b=c', 'a-b=c'],
    ['a, =b', '"a, =b"'],
    ['', ''],
    [null, ''],
    [-1.5, '-1.5'],
  ])('leaves other values alone: %j', async (value, line) => expect(await written(value)).toBe(line));

  it('writes a value with many blanks in linear time', async () => {
    const blanks = `${';\n '.repeat(30_000)}x`;
    expect(await written(blanks)).toBe(`"${blanks}"`);
  });
});
