import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Invalid } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-messages.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import type { ImportLeadsDto, ImportReportResponse } from '../dto/import-leads.dto.js';
import { insertLeads } from '../lead-insert.js';
import type { NewLead } from '../lead.types.js';
import { readCsvRows, UnreadableCsv, type CsvRow } from './csv-rows.js';
import { ImportReport } from './import-report.js';
import { invalidFile, readLeadColumns } from './lead-columns.js';
import { readLeadLine, type LineRules } from './lead-line.js';

const BATCH_LINES = 250;
/** Keeps memory flat where lines are long. */
const BATCH_CHARACTERS = 1024 * 1024;

interface ImportTarget {
  userId: number;
  campaignId: number;
  allowDuplicates: boolean;
}

/** Leads out of a file of any length: good lines go in, the others are reported. */
@Injectable()
export class LeadImport {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
  ) {}

  async import(
    userId: number,
    { file, campaign_id, allow_dupplicate }: ImportLeadsDto,
  ): Promise<ImportReportResponse> {
    const target = { userId, campaignId: campaign_id, allowDuplicates: allow_dupplicate ?? false };
    // Before the first line is looked at: the campaign is there.
    await this.insert(target, []);
    const report = new ImportReport();
    try {
      await this.readAll(readCsvRows(file), target, report);
    } catch (error) {
      if (!(error instanceof UnreadableCsv)) throw error;
      report.refuse(error.line, { field: 'file', message: error.message });
    }
    return report;
  }

  private async readAll(
    rows: AsyncGenerator<CsvRow>,
    target: ImportTarget,
    report: ImportReport,
  ): Promise<void> {
    const header = await rows.next();
    if (header.done) throw invalidFile('must not be empty');
    const { country } = await this.accounts.view(target.userId);
    const rules: LineRules = { ...target, columns: readLeadColumns(header.value.values), country };
    let batch: NewLead[] = [];
    let characters = 0;
    const flush = async (): Promise<void> => {
      const inserted = await this.insert(target, batch);
      report.imported += inserted;
      report.duplicates += batch.length - inserted;
      batch = [];
      characters = 0;
    };
    for await (const { line, values } of rows) {
      const lead = readLeadLine(values, rules);
      if ('message' in lead) {
        report.refuse(line, lead);
        continue;
      }
      batch.push(lead);
      characters += values.reduce((sum, value) => sum + value.length, 0);
      if (batch.length >= BATCH_LINES || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
  }

  private async insert(
    { userId, campaignId, allowDuplicates }: ImportTarget,
    leads: NewLead[],
  ): Promise<number> {
    return this.db.transaction(async (tx) => {
      const campaign = await this.campaigns.hold(
        tx,
        userId,
        campaignId,
        allowDuplicates ? 'alone' : 'shared',
      );
      if (!campaign) throw new Invalid({ campaign_id: [selectedInvalidMessage('campaign_id')] });
      return leads.length === 0
        ? 0
        : insertLeads(tx, { accountId: userId, campaign, allowDuplicates }, leads);
    });
  }
}
