import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwUnknownCampaign } from './imports.js';
import { addCommand, createReportAction, parseWholeNumber } from '../option-values.js';
import { formatQuantity, formatTable, type Report } from '../output.js';

export function addCampaignCommands(program: Command): void {
  const campaigns = program.command('campaigns').description('campaigns of all accounts');
  addCommand(campaigns, 'verify', {
    does: 'count the leads and calls of campaigns and compare with the counters that the API shows',
    examples: ['campaigns verify', 'campaigns verify --id 12', 'campaigns verify --id 12 --repair'],
  })
    .option('--id <campaign>', 'one campaign instead of all', parseWholeNumber)
    .option('--repair', 'set what differs; until it is counted, nobody can change leads or calls')
    .action(createReportAction(verifyCounters));
  addCommand(campaigns, 'watch', {
    does: 'show a campaign until it has ended or Ctrl-C is pressed: status, leads, calls',
    examples: ['campaigns watch 12'],
  })
    .argument('<id>', 'the campaign', parseWholeNumber)
    .action(createReportAction(watch));
}

const POLL_MS = 1_000;

async function watch(id: number): Promise<Report> {
  const [{ runAsCampaignOperator }, { linesViewFor }, { watchCampaign }] = await Promise.all([
    import('../operator/operator.js'),
    import('../live-lines.js'),
    import('../campaign-watch.js'),
  ]);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  const { signal } = stopping;
  try {
    const campaign = await runAsCampaignOperator(async ({ campaigns }) => {
      const { accountId } = (await campaigns.campaignView(id)) ?? throwUnknownCampaign(id);
      return watchCampaign({
        read: () => campaigns.getCampaign(accountId, id),
        view: linesViewFor(process.stderr, process.env),
        // An abort ends the wait.
        wait: () => sleep(POLL_MS, undefined, { signal }).catch(() => undefined),
        signal,
      });
    });
    return { data: campaign, text: `${campaign.name} is ${campaign.status}.` };
  } finally {
    process.removeListener('SIGINT', stop);
  }
}

async function verifyCounters({ id, repair }: { id?: number; repair?: boolean }): Promise<Report> {
  const { runAsCampaignOperator } = await import('../operator/operator.js');
  const differences = await runAsCampaignOperator(async ({ counters }) => {
    const found = await counters.verifyCounters(id ?? null);
    if (repair) await counters.repairCounters(found);
    return found;
  });
  const repaired = repair ? ', repaired' : '';
  const rows = differences.map(({ campaign_id, part, name, counted: rowCount, stored }) => [
    campaign_id,
    part,
    name,
    rowCount,
    stored,
  ]);
  const text =
    rows.length === 0
      ? 'Every counter is right.'
      : `${formatTable(['campaign', 'of', 'counter', 'rows', 'counted'], rows)}\n${formatQuantity(rows.length, 'difference')}${repaired}.`;
  return { data: { differences, repaired: repair ?? false }, text, failed: differences.length > 0 };
}
