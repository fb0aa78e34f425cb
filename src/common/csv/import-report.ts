import { ApiProperty } from '@nestjs/swagger';
import { Invalid } from '../errors/api-error.js';
import { fieldMessage } from '../validation/field-rules.js';
import type { readCsvRows } from './csv-rows.js';
import { MAX_COLUMNS, TOO_MANY_VALUES } from './csv-scanner.js';
import { isDamagedText } from './csv-values.js';

/** Errors that a report lists unless the request sets another number. */
export const DEFAULT_ERRORS = 100;

class ImportErrorResponse {
  @ApiProperty({ type: 'integer', description: 'In the file, from 1, the header included.' }) line: number;
  @ApiProperty({ example: 'phone_number' }) field: string;
  @ApiProperty() message: string;
}

export class ImportReportResponse {
  @ApiProperty({ type: 'integer', description: 'Lines that were stored.' }) imported: number;
  @ApiProperty({ type: 'integer', description: 'Lines whose number was stored before.' }) duplicates: number;
  @ApiProperty({ type: 'integer', description: 'Lines that break a rule.' }) invalid: number;
  @ApiProperty({
    type: [ImportErrorResponse],
    description:
      'The first 100 of them, or as many as `max_errors` says, and why lines that were stored are not called: a `timezone` that names no time zone.',
  })
  errors: ImportErrorResponse[];
}

export interface LineProblem {
  field: string;
  message: string;
}

export const lineProblem = (field: string, rule: string): LineProblem => ({
  field,
  message: fieldMessage(field, rule),
});

export const invalidFile = (rule: string): Invalid => new Invalid({ file: [fieldMessage('file', rule)] });

/** NEL, and the separators of lines and paragraphs. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/;

/** The first row. @throws Invalid on `file`: there is none, or it cannot be read */
export async function readHeader(rows: ReturnType<typeof readCsvRows>): Promise<string[]> {
  const header = await rows.next();
  if (header.done) throw invalidFile('must not be empty');
  if ('problem' in header.value) {
    const { problem } = header.value;
    if (problem === TOO_MANY_VALUES) throw invalidFile(`must not have more than ${MAX_COLUMNS} columns`);
    throw new Invalid({ file: [problem] });
  }
  // The whole file is one line then, and nothing would be imported without a word.
  if (header.value.values.some((value) => OTHER_LINE_ENDS.test(value)))
    throw invalidFile('must have lines that end with CR, LF or both');
  if (header.value.values.some(isDamagedText)) throw invalidFile('must be text in UTF-8 or UTF-16');
  return header.value.values;
}

/** Receives the progress of an import after each batch: the bytes that were read, and the results of their lines. */
export type ImportProgress = (bytes: number, report: Readonly<ImportReportResponse>) => void;

/** Result of an import; only the first errors are listed. */
export class ImportReport extends ImportReportResponse {
  override imported = 0;
  override duplicates = 0;
  override invalid = 0;
  override errors: ImportReportResponse['errors'] = [];
  /** The report is the answer: this is no part of it. */
  readonly #maxErrors: number;

  constructor(maxErrors = DEFAULT_ERRORS) {
    super();
    this.#maxErrors = maxErrors;
  }

  countStored(lines: number, imported: number): void {
    this.imported += imported;
    this.duplicates += lines - imported;
  }

  refuseLine(line: number, { field, message }: LineProblem): void {
    this.invalid++;
    this.addRemark(line, { field, message });
  }

  /** Adds a remark about a stored line. */
  addRemark(line: number, { field, message }: LineProblem): void {
    if (this.errors.length < this.#maxErrors) this.errors.push({ line, field, message });
  }

  /** Records why reading stopped at this line; reported even if the list of errors is full. */
  recordStop(line: number, message: string): void {
    this.invalid++;
    this.errors.splice(this.#maxErrors - 1);
    this.errors.push({ line, field: 'file', message });
  }
}
