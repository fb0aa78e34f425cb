import { Injectable } from '@nestjs/common';
import { readCsvRows } from '#src/common/csv/csv-rows.js';
import { KeyedConcurrencyLimiter } from '#src/common/persistence/keyed-concurrency-limiter.js';
import {
  ImportReport,
  readHeader,
  type ImportProgress,
  type ImportReportResponse,
} from '#src/common/csv/import-report.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { LeadsRepository, type InsertTarget } from '../leads.repository.js';
import type { NewLead } from '../lead.types.js';
import { invalidCampaign } from '../leads.errors.js';
import type { ImportLeadsDto } from '../dto/import-leads.dto.js';
import { readLeadColumns, readLeadLine, type LineRules } from './lead-columns.js';

const BATCH_LINES = 250;
/** Limits memory when lines are long. */
const BATCH_CHARACTERS = 1024 * 1024;
/** Batches of one account that are inserted at a time: a batch keeps a processor of the database busy. */
const BATCHES_AT_A_TIME = 1;

interface NumberedLead {
  line: number;
  lead: NewLead;
}

/** Imports leads from a file of any length: valid lines are inserted, the others are reported. */
@Injectable()
export class LeadImportService {
  private readonly batches = new KeyedConcurrencyLimiter<number>(BATCHES_AT_A_TIME);

  constructor(
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadsRepository,
  ) {}

  /** @param mayCall whether a campaign that completed by itself goes on with the leads */
  async importLeads(
    userId: number,
    { file, campaign_id, allow_dupplicate }: ImportLeadsDto,
    mayCall: boolean,
    told?: ImportProgress,
  ): Promise<ImportReportResponse> {
    if (!(await this.campaigns.ownsCampaign(userId, campaign_id))) throw invalidCampaign();
    const target = {
      accountId: userId,
      campaignId: campaign_id,
      allowDuplicates: allow_dupplicate ?? false,
      reopens: mayCall,
    };
    let read = 0;
    const rows = readCsvRows(file, (bytes) => (read = bytes));
    try {
      const columns = readLeadColumns(await readHeader(rows));
      const { country, plan } = await this.accounts.view(userId);
      const rules = { ...target, columns, country, maxLines: plan.maxLeadsPerCampaign };
      return await this.importLines(rows, target, rules, (report) => told?.(read, report));
    } finally {
      // Closes the file when only the header was read.
      await rows.return(undefined);
    }
  }

  private async importLines(
    rows: ReturnType<typeof readCsvRows>,
    target: InsertTarget,
    rules: LineRules & { maxLines: number },
    told: (report: ImportReport) => void,
  ): Promise<ImportReport> {
    const report = new ImportReport();
    let batch: NumberedLead[] = [];
    let characters = 0;
    let lines = 0;
    const flush = async (): Promise<void> => {
      const leave = await this.batches.enter(target.accountId);
      await this.insert(target, batch, report).finally(leave);
      told(report);
      batch = [];
      characters = 0;
    };
    for await (const row of rows) {
      if (++lines > rules.maxLines) {
        report.refuse(row.line, { field: 'file', message: tooManyLines(rules.maxLines) });
        break;
      }
      const lead =
        'problem' in row ? { field: 'file', message: row.problem } : readLeadLine(row.values, rules);
      if ('message' in lead) {
        report.refuse(row.line, lead);
        continue;
      }
      batch.push({ line: row.line, lead });
      characters += JSON.stringify(lead).length;
      if (batch.length >= BATCH_LINES || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
    return report;
  }

  /** Inserts in parts that fit under the plan's limit: leads whose number exists already do not count. */
  private async insert(target: InsertTarget, leads: NumberedLead[], report: ImportReport): Promise<void> {
    for (let rest = leads; rest.length > 0;) {
      const room = await this.leads.room(target.accountId, target.campaignId);
      if (room <= 0) return this.refuse(target, rest, report);
      const part = rest.slice(0, room).map(({ lead }) => lead);
      report.count(part.length, await this.leads.insertLeads(target, part));
      rest = rest.slice(part.length);
    }
  }

  private async refuse(
    { accountId }: InsertTarget,
    leads: NumberedLead[],
    report: ImportReport,
  ): Promise<void> {
    const { message } = await this.leads.limitReached(accountId);
    for (const { line } of leads) report.refuse(line, { field: 'campaign_id', message });
  }
}

const tooManyLines = (max: number): string =>
  `The file has more than ${max} lines; nothing was read from here on.`;
