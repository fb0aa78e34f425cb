import { ImportReportResponse, type ImportLeadsDto } from '../dto/import-leads.dto.js';
import {
  type LineProblem,
  invalidFile,
  readLeadColumns,
  readLeadLine,
  type LineRules,
} from './lead-columns.js';
import { Injectable } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { LeadsRepository, type InsertTarget } from '../leads.repository.js';
import type { NewLead } from '../lead.types.js';
import { invalidCampaign } from '../leads.errors.js';
import { readCsvRows } from './csv-rows.js';

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

const BATCH_LINES = 250;
/** Keeps memory flat where lines are long. */
const BATCH_CHARACTERS = 1024 * 1024;

/** Leads out of a file of any length: good lines go in, the others are reported. */
@Injectable()
export class LeadImportService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly inserts: LeadsRepository,
  ) {}

  async importLeads(
    userId: number,
    { file, campaign_id, allow_dupplicate }: ImportLeadsDto,
  ): Promise<ImportReportResponse> {
    if (!(await this.campaigns.ownsCampaign(userId, campaign_id))) throw invalidCampaign();
    const target = { accountId: userId, campaignId: campaign_id, allowDuplicates: allow_dupplicate ?? false };
    const rows = readCsvRows(file);
    try {
      const header = await rows.next();
      if (header.done) throw invalidFile('must not be empty');
      if ('problem' in header.value) throw new Invalid({ file: [header.value.problem] });
      const columns = readLeadColumns(header.value.values);
      const { country } = await this.accounts.view(userId);
      return await this.importLines(rows, target, { ...target, columns, country });
    } finally {
      // Closes the file where the header was all that was read.
      await rows.return(undefined);
    }
  }

  private async importLines(
    rows: ReturnType<typeof readCsvRows>,
    target: InsertTarget,
    rules: LineRules,
  ): Promise<ImportReport> {
    const report = new ImportReport();
    let batch: NewLead[] = [];
    let characters = 0;
    const flush = async (): Promise<void> => {
      report.count(batch.length, await this.inserts.insertLeads(target, batch));
      batch = [];
      characters = 0;
    };
    for await (const row of rows) {
      const lead =
        'problem' in row ? { field: 'file', message: row.problem } : readLeadLine(row.values, rules);
      if ('message' in lead) {
        report.refuse(row.line, lead);
        continue;
      }
      batch.push(lead);
      characters += JSON.stringify(lead).length;
      if (batch.length >= BATCH_LINES || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
    return report;
  }
}
