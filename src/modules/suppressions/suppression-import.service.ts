import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readCsvRows } from '#src/common/csv/csv-rows.js';
import { importLines, importProgressOf, type NumberedLine } from '#src/common/csv/import-lines.js';
import {
  invalidFile,
  lineProblem,
  readHeader,
  type ImportProgress,
  type ImportReport,
  type ImportReportResponse,
  type LineProblem,
} from '#src/common/csv/import-report.js';
import { readColumnNames } from '#src/common/csv/column-names.js';
import {
  DAMAGED_TEXT_RULE,
  hasUnclosedQuote,
  isDamagedText,
  UNCLOSED_QUOTE_RULE,
} from '#src/common/csv/csv-values.js';
import { readNumber } from '#src/common/phone/phone.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { MAX_REASON } from './dto/suppression.dto.js';
import { ERASED_NUMBER_RULE, ErasedNumbersService, type ImportBegin } from './erased-numbers.service.js';

const MAX_LINES = 1_000_000;
/** Reasons are short: lines alone limit the memory. */
const BATCH = { lines: 500, characters: Infinity };

interface SuppressionLine {
  phoneNumber: string;
  reason: string | null;
}

/** Suppressions out of a CSV file: the good lines are stored, the others reported. */
@Injectable()
export class SuppressionImportService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    private readonly erased: ErasedNumbersService,
  ) {}

  async importSuppressions(
    userId: number,
    { file }: { file: string },
    told?: ImportProgress,
  ): Promise<ImportReportResponse> {
    const begin = await this.erased.beginImport(userId);
    const progress = importProgressOf(told);
    const rows = readCsvRows(file, progress.hasRead);
    try {
      const read = lineReader(await readHeader(rows), (await this.accounts.accountView(userId)).country);
      // Before the first batch, each of which is a statement of its own.
      await this.audit.change(async (_tx, record) =>
        record({ accountId: userId, action: 'suppression.import' }),
      );
      const store = (lines: NumberedLine<SuppressionLine>[], report: ImportReport): Promise<void> =>
        this.store(begin, lines, report);
      return await importLines(rows, { maxLines: MAX_LINES, batch: BATCH, read, store }, progress.told);
    } finally {
      // Closes the file when only the header was read.
      await rows.return(undefined);
    }
  }

  /** Without numbers whose erasure was requested after the import began. */
  private async store(
    begin: ImportBegin,
    lines: NumberedLine<SuppressionLine>[],
    report: ImportReport,
  ): Promise<void> {
    const { stored, kept, erased } = await this.db.transaction(async (tx) => {
      const numbers = lines.map(({ value }) => value.phoneNumber);
      const found = await this.erased.findErasedSince(tx, begin, numbers);
      const others = lines.filter(({ value }) => !found.has(value.phoneNumber));
      const rows: object[] = await tx.query(
        `INSERT INTO suppressions (account_id, phone_number, reason, source)
         SELECT $1, line.phone_number, line.reason, 'api'
           FROM unnest($2::text[], $3::text[]) AS line (phone_number, reason)
         ON CONFLICT (account_id, phone_number) DO NOTHING
         RETURNING id`,
        [
          begin.accountId,
          others.map(({ value }) => value.phoneNumber),
          others.map(({ value }) => value.reason),
        ],
      );
      return { stored: rows.length, kept: others.length, erased: found };
    });
    report.countStored(kept, stored);
    for (const { line, value } of lines)
      if (erased.has(value.phoneNumber))
        report.refuseLine(line, lineProblem('phone_number', ERASED_NUMBER_RULE));
  }
}

/**
 * Columns `phone_number` and `reason`, as people write them (`Phone Number`, `Telefon`); others are not read.
 * @throws Invalid on `file`
 */
function lineReader(header: string[], country: string): (values: string[]) => SuppressionLine | LineProblem {
  const names = readColumnNames(header, (name) => name === 'reason');
  const numberAt = names.indexOf('phone_number');
  const reasonAt = names.indexOf('reason');
  if (numberAt < 0) throw invalidFile('must have a column named phone_number');
  return (values) => {
    if (hasUnclosedQuote(values)) return lineProblem('file', UNCLOSED_QUOTE_RULE);
    const written = values[numberAt] ?? '';
    if (written === '') return lineProblem('phone_number', 'is required');
    const read = readNumber(written, country);
    if ('fault' in read) return lineProblem('phone_number', NUMBER_RULES[read.fault]);
    const reason = values[reasonAt] ?? '';
    if (reason.length > MAX_REASON) {
      return lineProblem('reason', `must not be greater than ${MAX_REASON} characters`);
    }
    if (isDamagedText(reason)) return lineProblem('reason', DAMAGED_TEXT_RULE);
    return { phoneNumber: read.number, reason: reason || null };
  };
}
