import { ImportReportResponse } from '../dto/import-leads.dto.js';
import type { LineProblem } from './lead-line.js';

const MAX_ERRORS = 100;

/** What became of a file's lines; only the first errors are told one by one. */
export class ImportReport extends ImportReportResponse {
  override imported = 0;
  override duplicates = 0;
  override invalid = 0;
  override errors: ImportReportResponse['errors'] = [];

  count(lines: number, imported: number): void {
    this.imported += imported;
    this.duplicates += lines - imported;
  }

  refuse(line: number, { field, message }: LineProblem): void {
    this.invalid++;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ line, field, message });
  }
}
