import { describe, expect, it } from '@jest/globals';
import { Invalid } from '#src/common/errors/api-error.js';
import { cursorsOf, readCursor, toCursor, type CursorPosition } from './cursor.js';

const PLACE: CursorPosition = { direction: 'next', at: '2026-01-31T09:30:00.123456Z', id: 45 };
const errorsOf = (cursor: string): unknown => {
  try {
    return readCursor(cursor);
  } catch (error) {
    return error instanceof Invalid ? error.errors : error;
  }
};
const REFUSED = { cursor: ['The selected cursor is invalid.'] };

describe('a cursor', () => {
  it('is decoded as it is encoded', () => {
    for (const place of [PLACE, { ...PLACE, direction: 'previous' as const, id: 2_147_483_647 }]) {
      expect(readCursor(toCursor(place))).toEqual(place);
    }
    expect(readCursor(undefined)).toBeNull();
  });

  it('is refused with any other character at any place', () => {
    const cursor = toCursor(PLACE);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(errorsOf(cursor.slice(0, at) + other + cursor.slice(at + 1))).toEqual(REFUSED);
      expect(errorsOf(cursor.slice(0, at))).toEqual(REFUSED);
      expect(errorsOf(`${cursor.slice(0, at)}=${cursor.slice(at)}`)).toEqual(REFUSED);
    }
  });

  it.each([
    [{ ...PLACE, direction: 'first' }],
    [{ ...PLACE, at: '2026-01-31' }],
    [{ ...PLACE, id: 0 }],
    [{ ...PLACE, id: 2_147_483_648 }],
    [{ ...PLACE, id: '45' }],
  ])('is refused where its checksum is right and its position is not: %j', (place) => {
    expect(errorsOf(toCursor(place as CursorPosition))).toEqual(REFUSED);
  });
});

describe('cursorsOf', () => {
  const rows = [
    { at: PLACE.at, id: 9 },
    { at: PLACE.at, id: 8 },
  ];
  const of = (total: number, before: number) => {
    const { next, previous } = cursorsOf(rows, { total, before }, true);
    return [next, previous].map((cursor) => cursor && readCursor(cursor));
  };

  it('returns the next and the previous cursor, where they exist', () => {
    const next = { direction: 'next', at: PLACE.at, id: 8 };
    const previous = { direction: 'previous', at: PLACE.at, id: 9 };
    expect(of(2, 0)).toEqual([null, null]);
    expect(of(3, 0)).toEqual([next, null]);
    expect(of(3, 1)).toEqual([null, previous]);
    expect(of(9, 2)).toEqual([next, previous]);
    expect(cursorsOf([], { total: 3, before: 5 }, false)).toEqual({
      next: null,
      previous: null,
      before: null,
    });
  });
});
