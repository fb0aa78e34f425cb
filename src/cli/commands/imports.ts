import type { Command } from 'commander';
import type { ImportProgress, ImportReportResponse } from '#src/common/csv/import-report.js';
import { addCommand, createReportAction, parseWholeNumber } from '../option-values.js';
import type { Report } from '../output.js';

interface LeadOptions {
  campaign: number;
  allowDuplicates?: boolean;
}

/** The same as the imports of the API, for files of this machine. */
export function addImportCommands(program: Command): void {
  const leads = program.command('leads').description('leads of campaigns');
  addCommand(leads, 'import <file>', {
    does: 'create leads from a CSV file, as POST /user/leads/import does; exit code 1 when a line is invalid or names no time zone',
    examples: ['leads import --campaign 12 leads.csv'],
  })
    .requiredOption('--campaign <id>', 'where the leads go', parseWholeNumber)
    .option('--allow-duplicates', 'also numbers that the campaign has already')
    .action(createReportAction(importLeads));
  const suppressions = program.command('suppressions').description('numbers that are never called');
  addCommand(suppressions, 'import <file>', {
    does: 'add numbers from a CSV file, as POST /user/suppressions/import does; exit code 1 when a line is invalid',
    examples: ['suppressions import --email ada@example.com do-not-call.csv'],
  })
    .requiredOption('--email <address>', 'the account')
    .action(createReportAction(importSuppressions));
}

const importLeads = (file: string, { campaign, allowDuplicates }: LeadOptions): Promise<Report> =>
  reported(file, async (told) => {
    const { runAsCampaignOperator } = await import('../operator/operator.js');
    return runAsCampaignOperator(async ({ campaigns, leads }) => {
      const { accountId } = (await campaigns.campaignView(campaign)) ?? throwUnknownCampaign(campaign);
      const request = { file, campaign_id: campaign, allow_dupplicate: allowDuplicates ?? false };
      return leads.importLeads(accountId, request, true, told);
    });
  });

const importSuppressions = (file: string, { email }: { email: string }): Promise<Report> =>
  reported(file, async (told) => {
    const { runAsCampaignOperator } = await import('../operator/operator.js');
    return runAsCampaignOperator(async ({ accounts, suppressions }) => {
      const { id } = await accounts.findAccount(email);
      return suppressions.importSuppressions(id, { file }, told);
    });
  });

/** @throws always */
export function throwUnknownCampaign(id: number): never {
  throw new Error(`There is no campaign ${id}.`);
}

async function reported(
  file: string,
  work: (told: ImportProgress) => Promise<ImportReportResponse>,
): Promise<Report> {
  const [{ stat }, { importCounts, showImportProgress }] = await Promise.all([
    import('node:fs/promises'),
    import('../import-progress.js'),
  ]);
  const { size } = await stat(file);
  const report = await work(showImportProgress(process.stderr, process.env, size)).catch(explainFile);
  const lines = report.errors.map(({ line, message }) => `line ${line}: ${message}`);
  const unnamed = Math.max(0, report.invalid - lines.length);
  const rest = unnamed > 0 ? [`… and ${unnamed} more`] : [];
  return {
    data: report,
    text: [`${importCounts(report)}.`, ...lines, ...rest].join('\n'),
    failed: report.invalid > 0 || report.errors.length > 0,
  };
}

/** The errors of a 422 are about the file as a whole. */
async function explainFile(error: unknown): Promise<never> {
  const { Invalid } = await import('#src/common/errors/api-error.js');
  if (!(error instanceof Invalid)) throw error;
  throw new Error(Object.values(error.errors).flat().join(' '));
}
