import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readCsvRows } from '#src/common/csv/csv-rows.js';
import {
  ImportReport,
  invalidFile,
  lineProblem,
  readHeader,
  type ImportProgress,
  type ImportReportResponse,
  type LineProblem,
} from '#src/common/csv/import-report.js';
import { columnName, isDamaged, readNumber } from '#src/common/csv/csv-values.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { MAX_REASON } from './dto/suppression.dto.js';

const MAX_LINES = 1_000_000;
const BATCH_LINES = 500;

interface Line {
  phoneNumber: string;
  reason: string | null;
}

/** Suppressions out of a CSV file: the good lines are stored, the others reported. */
@Injectable()
export class SuppressionImportService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
  ) {}

  async importSuppressions(
    userId: number,
    { file }: { file: string },
    told?: ImportProgress,
  ): Promise<ImportReportResponse> {
    let bytes = 0;
    const rows = readCsvRows(file, (count) => (bytes = count));
    const report = new ImportReport();
    try {
      const read = lineReader(await readHeader(rows), (await this.accounts.view(userId)).country);
      let batch: Line[] = [];
      let lines = 0;
      for await (const row of rows) {
        if (++lines > MAX_LINES) {
          report.refuse(row.line, { field: 'file', message: TOO_MANY_LINES });
          break;
        }
        const line = 'problem' in row ? { field: 'file', message: row.problem } : read(row.values);
        if ('message' in line) report.refuse(row.line, line);
        else batch.push(line);
        if (batch.length < BATCH_LINES) continue;
        await this.store(userId, batch, report);
        told?.(bytes, report);
        batch = [];
      }
      await this.store(userId, batch, report);
      told?.(bytes, report);
    } finally {
      // Closes the file when only the header was read.
      await rows.return(undefined);
    }
    return report;
  }

  private async store(userId: number, batch: Line[], report: ImportReport): Promise<void> {
    if (batch.length === 0) return;
    const stored: object[] = await this.db.query(
      `INSERT INTO suppressions (account_id, phone_number, reason, source)
       SELECT $1, line.phone_number, line.reason, 'api'
         FROM unnest($2::text[], $3::text[]) AS line (phone_number, reason)
       ON CONFLICT (account_id, phone_number) DO NOTHING
       RETURNING id`,
      [userId, batch.map(({ phoneNumber }) => phoneNumber), batch.map(({ reason }) => reason)],
    );
    report.count(batch.length, stored.length);
  }
}

const TOO_MANY_LINES = `The file has more than ${MAX_LINES} lines; nothing was read from here on.`;

/**
 * Columns `phone_number` and `reason`, as people write them (`Phone Number`); others are not read.
 * @throws Invalid on `file`
 */
function lineReader(header: string[], country: string): (values: string[]) => Line | LineProblem {
  const names = header.map(columnName);
  const numberAt = names.indexOf('phone_number');
  const reasonAt = names.indexOf('reason');
  if (numberAt < 0) throw invalidFile('must have a column named phone_number');
  return (values) => {
    const written = values[numberAt] ?? '';
    if (written === '') return lineProblem('phone_number', 'is required');
    const phoneNumber = readNumber(written, country);
    if (phoneNumber === null) return lineProblem('phone_number', 'must be a valid phone number');
    const reason = values[reasonAt] ?? '';
    if (reason.length > MAX_REASON) {
      return lineProblem('reason', `must not be greater than ${MAX_REASON} characters`);
    }
    if (isDamaged(reason)) return lineProblem('reason', 'contains invalid characters');
    return { phoneNumber, reason: reason || null };
  };
}
