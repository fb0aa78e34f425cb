import { describe, expect, it } from '@jest/globals';
import { seeded } from '../support/random.js';
import { readNumber } from '#src/common/phone/phone.js';
import { aSheetCell, COUNTRIES } from './sheet-model.js';
import { sheetProblems, type SheetLine } from './verify-sheets.js';

const line = (fields: Partial<SheetLine> = {}): SheetLine => ({
  cell: '+14155552671.0',
  meant: '+14155552671',
  damage: 'text with decimals',
  country: 'US',
  imported: '+14155552671',
  ...fields,
});

describe('sheetProblems', () => {
  it('accepts the intended number, and a refusal of a damaged one', () => {
    expect(sheetProblems([line(), line({ damage: 'an error', imported: null })])).toEqual([]);
  });

  it('refuses another number, a number out of several, and the refusal of what is not damaged', () => {
    expect(sheetProblems([line({ imported: '+141555526710' })])).toHaveLength(1);
    expect(sheetProblems([line({ meant: null })])).toHaveLength(1);
    expect(sheetProblems([line({ imported: null })])).toHaveLength(1);
    expect(sheetProblems([])).toHaveLength(1);
  });
});

it('passes for cells of every country', () => {
  const random = seeded(7);
  const lines = COUNTRIES.flatMap((country) =>
    Array.from({ length: 300 }, (): SheetLine => {
      const cell = aSheetCell(country, random);
      const read = readNumber(cell.cell, country);
      return { ...cell, country, imported: 'number' in read ? read.number : null };
    }),
  );
  expect(sheetProblems(lines)).toEqual([]);
});
