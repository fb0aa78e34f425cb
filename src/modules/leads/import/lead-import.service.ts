import { Injectable } from '@nestjs/common';
import { readCsvRows } from '#src/common/csv/csv-rows.js';
import { importLines, importProgressOf, type NumberedLine } from '#src/common/csv/import-lines.js';
import { KeyedConcurrencyLimiter } from '#src/common/persistence/keyed-concurrency-limiter.js';
import {
  lineProblem,
  readHeader,
  type ImportProgress,
  type ImportReport,
  type ImportReportResponse,
  type LineProblem,
} from '#src/common/csv/import-report.js';
import { AuditService } from '../../audit/audit.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import {
  ERASED_NUMBER_RULE,
  ErasedNumbersService,
  type ImportBegin,
} from '../../suppressions/erased-numbers.service.js';
import { LeadsRepository, type LeadInsertTarget } from '../leads.repository.js';
import type { NewLead } from '../lead.types.js';
import { invalidCampaign } from '../leads.errors.js';
import type { ImportLeadsDto } from '../dto/import-leads.dto.js';
import { SeenNumbers } from './seen-numbers.js';
import { parseLeadColumns, parseLeadLine, toZoneRemark } from './lead-columns.js';

/** Characters limit memory when lines are long: a batch that lives longer than the young heap costs more of it. */
const BATCH = { lines: 250, characters: 64 * 1024 };
/** Batches of one account that are inserted at a time: a batch keeps a processor of the database busy. */
const MAX_CONCURRENT_BATCHES = 1;

/** What a dry run keeps of a lead: without its variables, batches of wide lines are as large as those of narrow ones. */
interface DryRunLead {
  phone_number: string;
  zoneRemark: LineProblem | null;
}

const toDryRunLead = (lead: NewLead | LineProblem): DryRunLead | LineProblem =>
  'variables' in lead ? { phone_number: lead.phone_number, zoneRemark: toZoneRemark(lead) } : lead;

/** Names the lines of which something was not stored. @returns how many leads were not */
function reportErased(
  leads: NumberedLine<NewLead>[],
  erased: ReadonlySet<string>,
  report: ImportReport,
): number {
  let left = 0;
  for (const { line, value } of leads) {
    if (erased.has(value.phone_number)) {
      report.refuseLine(line, lineProblem('phone_number', ERASED_NUMBER_RULE));
      left++;
    } else if (value.contacts.some(({ phone_number }) => erased.has(phone_number)))
      report.addRemark(
        line,
        lineProblem('secondary_contacts', `${ERASED_NUMBER_RULE}: the contact is left out`),
      );
  }
  return left;
}

/** Imports leads from a file of any length: valid lines are inserted, the others are reported. */
@Injectable()
export class LeadImportService {
  private readonly batches = new KeyedConcurrencyLimiter<number>(MAX_CONCURRENT_BATCHES);

  constructor(
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadsRepository,
    private readonly audit: AuditService,
    private readonly erased: ErasedNumbersService,
  ) {}

  /** @param mayCall whether a campaign that completed by itself continues with the leads */
  async importLeads(
    userId: number,
    { file, campaign_id, allow_dupplicate, dry_run, max_errors }: ImportLeadsDto,
    mayCall: boolean,
    onProgress?: ImportProgress,
  ): Promise<ImportReportResponse> {
    const begin = await this.erased.beginImport(userId);
    if (!(await this.campaigns.ownsCampaign(userId, campaign_id))) throw invalidCampaign();
    const target = {
      accountId: userId,
      campaignId: campaign_id,
      allowDuplicates: allow_dupplicate ?? false,
      reopens: mayCall,
    };
    const progress = importProgressOf(onProgress);
    const rows = readCsvRows(file, progress.hasRead);
    try {
      const columns = parseLeadColumns(await readHeader(rows));
      // Before the first batch, each of which is a transaction of its own.
      if (!dry_run)
        await this.audit.change(async (_tx, record) =>
          record({ accountId: userId, action: 'lead.import', details: { campaign_id } }),
        );
      const { country, plan } = await this.accounts.accountView(userId);
      const rules = { columns, country, allowDuplicates: target.allowDuplicates };
      const limits = { maxLines: plan.maxLeadsPerCampaign, maxErrors: max_errors, batch: BATCH };
      if (dry_run) {
        const read = (values: string[]) => toDryRunLead(parseLeadLine(values, rules));
        const remark = ({ zoneRemark }: DryRunLead) => zoneRemark;
        const store = await this.startDryRun(target);
        return await importLines(rows, { ...limits, read, remark, store }, progress.told);
      }
      const work = {
        ...limits,
        read: (values: string[]) => parseLeadLine(values, rules),
        remark: toZoneRemark,
        sizeOf: (lead: NewLead) => JSON.stringify(lead).length,
        store: async (leads: NumberedLine<NewLead>[], report: ImportReport) => {
          const leave = await this.batches.acquire(userId);
          await this.insertWithinLimit(target, leads, { report, begin }).finally(leave);
        },
      };
      return await importLines(rows, work, progress.told);
    } finally {
      // Closes the file when only the header was read.
      await rows.return(undefined);
    }
  }

  /** Inserts in parts that fit under the plan's limit: leads whose number exists already do not count. */
  private async insertWithinLimit(
    target: LeadInsertTarget,
    leads: NumberedLine<NewLead>[],
    { report, begin }: { report: ImportReport; begin: ImportBegin },
  ): Promise<void> {
    for (let rest = leads; rest.length > 0;) {
      const room = await this.leads.findCapacity(target.accountId, target.campaignId);
      if (room <= 0) return this.refuseLines(target, rest, report);
      const part = rest.slice(0, room);
      const values = part.map(({ value }) => value);
      const { inserted, erased } = await this.leads.insertLeads(target, values, begin);
      report.countStored(part.length - reportErased(part, erased, report), inserted);
      rest = rest.slice(part.length);
    }
  }

  /** Counts what `insert` would, and writes nothing. */
  private async startDryRun(target: LeadInsertTarget) {
    const { campaignId, allowDuplicates } = target;
    const seen = new SeenNumbers();
    let room = await this.leads.findCapacity(target.accountId, campaignId);
    return async (leads: NumberedLine<DryRunLead>[], report: ImportReport): Promise<void> => {
      const numbers = leads.map(({ value }) => value.phone_number);
      const stored = new Set(
        allowDuplicates ? [] : await this.leads.findNumbersInCampaign(campaignId, numbers),
      );
      const full = leads.findIndex(({ value: { phone_number: number } }) => {
        if (room <= 0) return true;
        const isRepeated = !allowDuplicates && (stored.has(number) || seen.has(number));
        seen.add(number);
        if (!isRepeated) room--;
        report.countStored(1, isRepeated ? 0 : 1);
        return false;
      });
      if (full >= 0) await this.refuseLines(target, leads.slice(full), report);
    };
  }

  private async refuseLines(
    { accountId }: LeadInsertTarget,
    leads: NumberedLine<object>[],
    report: ImportReport,
  ): Promise<void> {
    const { message } = await this.leads.toLimitError(accountId);
    for (const { line } of leads) report.refuseLine(line, { field: 'campaign_id', message });
  }
}
