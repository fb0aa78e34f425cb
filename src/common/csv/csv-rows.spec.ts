import { describe, expect, it } from '@jest/globals';
import { rowsOf } from './csv-rows.fake.js';
import { readCsvRows } from './csv-rows.js';

describe('readCsvRows', () => {
  it.each([
    [
      'commas',
      'a,b\n1;2,3',
      [
        [1, 'a', 'b'],
        [2, '1;2', '3'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,2;3',
      [
        [1, 'a', 'b'],
        [2, '1,2', '3'],
      ],
    ],
    [
      'a header whose quoted names have the other one',
      '"a;;;",b\n1,2',
      [
        [1, 'a;;;', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'one column',
      'a\n1\n2',
      [
        [1, 'a'],
        [2, '1'],
        [3, '2'],
      ],
    ],
    [
      'a byte order mark',
      '\uFEFF"a";b\n1;2',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'the line ends of Windows',
      'a,b\r\n1,2\r\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'the line ends of old Macs',
      'a,b\r1,2\r',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'spaces around values',
      'a , b\n 1 , 2 ',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'doubled quotes',
      'a\n"say ""hi"""',
      [
        [1, 'a'],
        [2, 'say "hi"'],
      ],
    ],
    [
      'quotes within a value',
      'a,b\n5" pipe,2',
      [
        [1, 'a', 'b'],
        [2, '5" pipe', '2'],
      ],
    ],
    [
      'rows without a value',
      'a,b\n\n,\n ; \n1,2',
      [
        [1, 'a', 'b'],
        [4, ';'],
        [5, '1', '2'],
      ],
    ],
    [
      'values with line breaks',
      'a,b\n"1\n\n2",x\r\n3,y',
      [
        [1, 'a', 'b'],
        [2, '1\n\n2', 'x'],
        [5, '3', 'y'],
      ],
    ],
    [
      'rows of any length',
      'a,b\n1\n1,2,3',
      [
        [1, 'a', 'b'],
        [2, '1'],
        [3, '1', '2', '3'],
      ],
    ],
    ['nothing', '', []],
    [
      'tabs',
      'a\tb\n1,2\t3',
      [
        [1, 'a', 'b'],
        [2, '1,2', '3'],
      ],
    ],
    [
      'a tab for a missing value',
      'a\tb\tc\n1\t\t3',
      [
        [1, 'a', 'b', 'c'],
        [2, '1', '', '3'],
      ],
    ],
    [
      '|',
      'a|b\n1;2|3',
      [
        [1, 'a', 'b'],
        [2, '1;2', '3'],
      ],
    ],
    [
      'what sep= says',
      'sep=;\r\na,x;b\r\n1,2;3',
      [
        [2, 'a,x', 'b'],
        [3, '1,2', '3'],
      ],
    ],
    [
      'sep= in quotes, behind a byte order mark',
      '\uFEFF"sep=,"\na;b,c\n1;2,3',
      [
        [2, 'a;b', 'c'],
        [3, '1;2', '3'],
      ],
    ],
    [
      'sep= as a spreadsheet stores it again',
      'SEP=;;;\na;b;c\n1;2;3',
      [
        [2, 'a', 'b', 'c'],
        [3, '1', '2', '3'],
      ],
    ],
    ['sep= behind blank lines', '\n \t\r\nsep=;\na,x;b\n', [[4, 'a,x', 'b']]],
    ['many blank lines, in linear time', `${'\r\n'.repeat(20_000)}a;b\n`, [[20_001, 'a', 'b']]],
    ['sep=\\t', 'sep=\t\na\tb\n', [[2, 'a', 'b']]],
    [
      'empty lines before the header',
      '\n;;\n\na;b\n1;2',
      [
        [4, 'a', 'b'],
        [5, '1', '2'],
      ],
    ],
    [
      'whitespace behind quotes',
      'a,b\n"1" ,"2"\t\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'text behind quotes',
      'a,b\n"1" x,2',
      [
        [1, 'a', 'b'],
        [2, '"1" x', '2'],
      ],
    ],
    [
      'a quote at the end of the file',
      'a,b\n1,"2"',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'an empty text in quotes',
      'a,b\n"",2',
      [
        [1, 'a', 'b'],
        [2, '', '2'],
      ],
    ],
    [
      'a line feed in a value of old Macs',
      'a,b\r"1\n2",3\r',
      [
        [1, 'a', 'b'],
        [2, '1\n2', '3'],
      ],
    ],
    [
      'a separator that nobody knows',
      'sep=x\naxb\n',
      [[1, '! The file field must have values separated by comma, semicolon, tab or |.']],
    ],
  ])('reads %s', async (_, content, rows) => {
    expect(await rowsOf(content)).toEqual(rows);
  });

  it('counts the lines that a value spans', async () => {
    expect(await rowsOf('a\n"1\n2\r\n3"\nx\n\ny')).toEqual([
      [1, 'a'],
      [2, '1\n2\r\n3'],
      [5, 'x'],
      [7, 'y'],
    ]);
  });

  it('reads UTF-16 with a byte order mark', async () => {
    expect(await rowsOf(Buffer.from('\uFEFFa;b\nZoë;2', 'utf16le'))).toEqual([
      [1, 'a', 'b'],
      [2, 'Zoë', '2'],
    ]);
  });

  it.each([
    ['utf16le', '\uFEFF'],
    ['utf16le', ''],
    ['utf16be', '\uFEFF'],
    ['utf16be', ''],
  ])('reads "Unicode text" of spreadsheets: %s, mark %j', async (encoding, mark) => {
    const bytes = Buffer.from(`${mark}a\tb\r\nZoë\t2\r\n`, 'utf16le');
    expect(await rowsOf(encoding === 'utf16be' ? bytes.swap16() : bytes)).toEqual([
      [1, 'a', 'b'],
      [2, 'Zoë', '2'],
    ]);
  });

  it('returns all rows before an unclosed quote', async () => {
    expect(await rowsOf('a,b\n1,x\n2,"y\n3,z\n')).toEqual([
      [1, 'a', 'b'],
      [2, '1', 'x'],
      [3, '! The line has a quote that is not closed; nothing was read from here on.'],
    ]);
  });

  it('counts empty lines before a line that cannot be read', async () => {
    expect(await rowsOf('a,b\n\n\n1,x\n\n2,"y\n3,z\n')).toEqual([
      [1, 'a', 'b'],
      [4, '1', 'x'],
      [6, '! The line has a quote that is not closed; nothing was read from here on.'],
    ]);
  });

  it('limits the length of a value', async () => {
    const rest = `${'y'.repeat(99)},1\n`.repeat(10_000);
    expect(await rowsOf(`a,b\n1,x\n2,"${rest}`)).toEqual([
      [1, 'a', 'b'],
      [2, '1', 'x'],
      [3, '! The line is too long, or a quote is not closed; nothing was read from here on.'],
    ]);
  });

  it('fails when the file does not exist', async () => {
    await expect(readCsvRows('missing.csv').next()).rejects.toThrow('ENOENT');
  });
});
