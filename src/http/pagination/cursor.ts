import { createHash } from 'node:crypto';
import { Invalid } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { isId, TextField } from '#src/common/validation/fields.js';
import type { PageCursors, PageRequest } from './page.js';

/** A place in a list that is newest first: beside the row of this moment and id. */
export interface CursorPosition {
  direction: 'next' | 'previous';
  /** `created_at` of the row, ISO 8601 with six fractional digits. */
  at: string;
  id: number;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const CHECK_BYTES = 6;
const MAX_LENGTH = 255;

/** The cursor of a query; `readCursor` validates it. */
export const CursorField = () =>
  TextField({
    required: false,
    max: MAX_LENGTH,
    description: 'A `next_cursor` or `prev_cursor`; counts in place of `page`.',
  });

/**
 * A position as text for clients; the checksum detects changes. It grants no access: lists show the user's rows only.
 */
export function toCursor({ direction, at, id }: CursorPosition): string {
  const place = Buffer.from(JSON.stringify([direction, at, id]));
  return Buffer.concat([checkOf(place), place]).toString('base64url');
}

/** Null: the query has none. @throws Invalid */
export function readCursor(cursor: string | undefined): CursorPosition | null {
  if (cursor === undefined) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const place = bytes.subarray(CHECK_BYTES);
  const isWhole =
    bytes.toString('base64url') === cursor && bytes.subarray(0, CHECK_BYTES).equals(checkOf(place));
  const read = isWhole ? readPosition(place.toString()) : null;
  if (!read) throw new Invalid({ cursor: [selectedInvalidMessage('cursor')] });
  return read;
}

/** Anybody can compute a checksum. */
function readPosition(text: string): CursorPosition | null {
  try {
    const [direction, at, id] = JSON.parse(text) as unknown[];
    if (direction !== 'next' && direction !== 'previous') return null;
    return typeof at === 'string' && MOMENT.test(at) && isId(id) ? { direction, at, id: id as number } : null;
  } catch {
    return null;
  }
}

const checkOf = (place: Buffer): Buffer =>
  createHash('sha256').update(place).digest().subarray(0, CHECK_BYTES);

/**
 * The cursors of a page.
 * @param rows its rows, newest first
 * @param total rows of the whole list
 * @param before rows before the first one
 */
export function cursorsOf(
  rows: readonly Omit<CursorPosition, 'direction'>[],
  { total, before }: { total: number; before: number },
  isPlaced: boolean,
): PageCursors {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    next: last && before + rows.length < total ? toCursor({ ...last, direction: 'next' }) : null,
    previous: first && before > 0 ? toCursor({ ...first, direction: 'previous' }) : null,
    before: isPlaced ? before : null,
  };
}

/** The SQL of one page by number or by cursor: its conditions besides, and how it is ordered and cut. */
export function pageSqlClauses(
  { page, per_page }: PageRequest,
  place: CursorPosition | null,
  parameterOf: (value: unknown) => string,
): { and: string; tail: string } {
  const limit = `LIMIT ${parameterOf(per_page)}`;
  if (!place) {
    return {
      and: '',
      tail: `ORDER BY created_at DESC, id DESC ${limit} OFFSET ${parameterOf((page - 1) * per_page)}`,
    };
  }
  const [sign, order] = place.direction === 'next' ? ['<', 'DESC'] : ['>', 'ASC'];
  return {
    and: `AND (created_at, id) ${sign} (${parameterOf(place.at)}::timestamptz, ${parameterOf(place.id)}::int)`,
    tail: `ORDER BY created_at ${order}, id ${order} ${limit}`,
  };
}
