import { expect, it } from '@jest/globals';
import type { CsvRow } from './csv-scanner.js';
import { importLines } from './import-lines.js';
import type { LineProblem } from './import-report.js';

interface Number {
  value: string;
}

/** Lines with `x` are bad, `z` gets a remark. @returns the report and how many lines were read */
async function imported(values: string[], maxLines = 1_000_000) {
  let taken = 0;
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    for (const value of values) yield { line: 2 + taken++, values: [value] };
  }
  const bad: LineProblem = { field: 'phone_number', message: 'bad' };
  const stored: string[][] = [];
  const report = await importLines<Number>(
    rows(),
    {
      maxLines,
      batch: { lines: 2, characters: Infinity },
      read: ([value = '']) => (value === 'x' ? bad : { value }),
      remark: ({ value }) => (value === 'z' ? { field: 'timezone', message: 'unknown' } : null),
      store: async (lines, to) => {
        stored.push(lines.map(({ value }) => value.value));
        to.countStored(lines.length, lines.length);
      },
    },
    () => undefined,
  );
  return { report, taken, stored };
}

it('stores valid lines in batches and reports the others', async () => {
  const { report, stored } = await imported(['a', 'x', 'b', 'z']);
  expect(stored).toEqual([['a', 'b'], ['z']]);
  expect({ ...report }).toEqual({
    imported: 3,
    duplicates: 0,
    invalid: 1,
    errors: [
      { line: 3, field: 'phone_number', message: 'bad' },
      { line: 5, field: 'timezone', message: 'unknown' },
    ],
  });
});

it('ends after a thousand invalid lines without a valid one, and reports it', async () => {
  const { report, taken } = await imported(Array.from({ length: 50_000 }, () => 'x'));
  expect([taken, report.invalid, report.errors.length]).toEqual([1_001, 1_001, 100]);
  expect(report.errors.at(-1)).toEqual({
    line: 1_002,
    field: 'file',
    message: 'The first 1000 lines are invalid; nothing was read from here on.',
  });
});

it('continues after any number of invalid lines once a line is valid', async () => {
  const { report } = await imported(['a', ...Array.from({ length: 3_000 }, () => 'x'), 'b']);
  expect([report.imported, report.invalid]).toEqual([2, 3_000]);
});

it('ends at the maximum number of lines', async () => {
  const { report, taken } = await imported(['a', 'b', 'c', 'd'], 2);
  expect([taken, report.imported, report.errors]).toEqual([
    3,
    2,
    [{ line: 4, field: 'file', message: 'The file has more than 2 lines; nothing was read from here on.' }],
  ]);
});
