import { describe, expect, it } from '@jest/globals';
import { detectDialect } from './csv-dialect.js';

const HEADER = 'a,x;b\n';

describe('the first line of a file', () => {
  it.each([
    'sep=;',
    'sep =;',
    'SEP=;',
    'Sep = ;',
    '"sep=;"',
    '"SEP =;";;',
    '"sep=";',
    'sep=";"',
    "sep=';'",
    '"sep="";"""',
    ' sep=;',
  ])('names the separator: %s', (line) => {
    for (const lineEnd of ['\n', '\r\n', '\r'])
      expect(detectDialect(line + lineEnd + HEADER)).toMatchObject({
        separator: ';',
        rest: HEADER,
        skipped: 1,
      });
  });

  it.each([
    ['a tab', 'sep =\t\na\tb\n', '\t'],
    ['a comma', 'sep = ,\na;x,b\n', ','],
    ['a bar in quotes', '"sep=|"\na;x|b\n', '|'],
  ])('names %s', (_, text, separator) => {
    expect(detectDialect(text)).toMatchObject({ separator, skipped: 1 });
  });

  it.each(['separated;b\n', 'sep;b\n', 'sep=x;b\n'])('is a header: %s', (text) => {
    expect(detectDialect(text)).toMatchObject({ rest: text, skipped: 0 });
  });
});
