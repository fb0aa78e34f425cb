import { BULK_TURN_MS, nextBulkTurn } from '../fairness/bulk-turns.js';
import { fieldMessage } from '../validation/field-rules.js';
import { CsvScanner, type CsvRow, type UnreadableRow } from './csv-scanner.js';
import { canDetectDialect, detectDialect } from './csv-dialect.js';
import { NotTextError, readTextFile } from './csv-text.js';

const UNKNOWN_SEPARATOR = fieldMessage('file', 'must have values separated by comma, semicolon, tab or |');

/**
 * The rows of a CSV file, header included, one after the other: UTF-8 or UTF-16, separated by comma, semicolon, tab or
 * |, or by the separator of a first line `sep=`; quotes. Rows without any value are left out. The table of what is
 * read is in docs/use/imports.md.
 *
 * @param hasRead gets how many bytes of the file were read, before each row
 */
export async function* readCsvRows(
  path: string,
  hasRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<CsvRow | UnreadableRow, void, undefined> {
  let head = '';
  let scanner: CsvScanner | undefined;
  let skipped = 0;
  let turn = performance.now();
  const begin = (): Iterable<CsvRow | UnreadableRow> => {
    const { rest, isKnown, ...dialect } = detectDialect(head);
    if (!isKnown) return [{ line: 1, problem: UNKNOWN_SEPARATOR }];
    skipped = dialect.skipped;
    scanner = new CsvScanner(dialect);
    return scanner.read(rest);
  };
  const read = (text: string): Iterable<CsvRow | UnreadableRow> => {
    if (scanner) return scanner.read(text);
    head += text;
    return canDetectDialect(head) ? begin() : [];
  };
  const end = function* (): Iterable<CsvRow | UnreadableRow> {
    if (!scanner) yield* begin();
    if (scanner) yield* scanner.end();
  };
  for await (const text of textOf(path, hasRead)) {
    for (const row of text === null ? end() : typeof text === 'string' ? read(text) : [text]) {
      yield { ...row, line: row.line + skipped };
      if ('problem' in row && row.problem === UNKNOWN_SEPARATOR) return;
      turn = await turnAfter(turn);
    }
    if (scanner?.failed) return;
    turn = await turnAfter(turn);
  }
}

/** The pieces of a file's text, and null behind them. A file that is no text is an unreadable row. */
async function* textOf(
  path: string,
  hasRead: (bytes: number) => void,
): AsyncGenerator<string | UnreadableRow | null, void, undefined> {
  try {
    yield* readTextFile(path, hasRead);
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error;
    return yield { line: 1, problem: fieldMessage('file', error.message) };
  }
  yield null;
}

/** Yields to other requests after each millisecond. @returns the start of the turn */
async function turnAfter(began: number): Promise<number> {
  if (performance.now() - began < BULK_TURN_MS) return began;
  await nextBulkTurn();
  return performance.now();
}
