import type { readCsvRows } from './csv-rows.js';
import { ImportReport, type ImportProgress, type LineProblem } from './import-report.js';

/** After so many invalid lines without a valid one, the file is refused as another kind of file. */
const HOPELESS_LINES = 1_000;

export interface NumberedLine<Line> {
  line: number;
  value: Line;
}

export interface LineImport<Line> {
  /** Lines that may have a value. */
  maxLines: number;
  /** That are listed. */
  maxErrors?: number;
  /** Lines that are stored together, and their size. */
  batch: { lines: number; characters: number };
  read: (values: string[]) => Line | LineProblem;
  /** A remark about a stored line. */
  remark?: (value: Line) => LineProblem | null;
  sizeOf?: (value: Line) => number;
  store: (lines: NumberedLine<Line>[], report: ImportReport) => Promise<void>;
}

/** Stores the good lines behind the header, batch by batch, and reports the others. */
export async function importLines<Line extends object>(
  rows: ReturnType<typeof readCsvRows>,
  { maxLines, maxErrors, batch, read, remark, sizeOf = () => 0, store }: LineImport<Line>,
  told: (report: ImportReport) => void,
): Promise<ImportReport> {
  const report = new ImportReport(maxErrors);
  let waiting: NumberedLine<Line>[] = [];
  let characters = 0;
  let lines = 0;
  let good = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await store(waiting, report);
    told(report);
    waiting = [];
    characters = 0;
  };
  for await (const row of rows) {
    if (++lines > maxLines) {
      report.recordStop(row.line, `The file has more than ${maxLines} lines; nothing was read from here on.`);
      break;
    }
    const value = 'problem' in row ? { field: 'file', message: row.problem } : read(row.values);
    if (isProblem(value)) {
      if (good === 0 && report.invalid === HOPELESS_LINES) {
        report.recordStop(
          row.line,
          `The first ${HOPELESS_LINES} lines are invalid; nothing was read from here on.`,
        );
        break;
      }
      report.refuseLine(row.line, value);
      continue;
    }
    good++;
    const text = remark?.(value);
    if (text) report.addRemark(row.line, text);
    waiting.push({ line: row.line, value });
    characters += sizeOf(value);
    if (waiting.length >= batch.lines || characters >= batch.characters) await flush();
  }
  await flush();
  return report;
}

const isProblem = (value: object): value is LineProblem => 'field' in value && 'message' in value;

/** The progress of an import whose rows are read by `readCsvRows`: bytes come from there, the report from the lines. */
export function importProgressOf(told: ImportProgress | undefined) {
  let bytes = 0;
  return {
    hasRead: (count: number): void => void (bytes = count),
    told: (report: ImportReport): void => told?.(bytes, report),
  };
}
