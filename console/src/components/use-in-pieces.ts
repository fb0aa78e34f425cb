import { useEffect, useState } from 'react';

/** Rows that are drawn in one task. A hundred at once would hold up scrolling and typing. */
const PIECE = 25;

type RowKey<T> = (row: T, index: number) => string | number;

/** The rows, of which many new ones take the place of the former ones piece by piece, from the first one on. */
export function useInPieces<T>(rows: T[] | undefined, rowKey: RowKey<T>): T[] | undefined {
  const [shown, setShown] = useState(rows);
  const next = nextRows(shown, rows, rowKey);
  useEffect(() => {
    if (shown === rows) return undefined;
    const timer = setTimeout(() => setShown(next));
    return () => clearTimeout(timer);
    // `next` follows from both.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shown, rows]);
  return shown;
}

/** @returns `rows` once all of them are shown */
function nextRows<T>(shown: T[] = [], rows: T[] | undefined, rowKey: RowKey<T>): T[] | undefined {
  const from = rows?.findIndex((row, index) => row !== shown[index]) ?? -1;
  if (!rows || from < 0 || from + PIECE >= rows.length) return rows;
  const head = rows.slice(0, from + PIECE);
  const keys = new Set(head.map((row, index) => rowKey(row, index)));
  // A former row may be among the new ones, at another place.
  const tail = shown.filter((row, index) => index >= head.length && !keys.has(rowKey(row, index)));
  return [...head, ...tail];
}
