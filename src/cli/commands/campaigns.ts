import type { Command } from 'commander';
import { leaf, printing, wholeNumber } from '../option-values.js';
import { counted, table, type Report } from '../output.js';

export function addCampaigns(program: Command): void {
  const campaigns = program.command('campaigns').description('campaigns of all accounts');
  leaf(campaigns, 'verify', {
    does: 'count the leads and calls of campaigns and compare with the counters that the API shows',
    examples: ['campaigns verify', 'campaigns verify --id 12', 'campaigns verify --id 12 --repair'],
  })
    .option('--id <campaign>', 'one campaign instead of all', wholeNumber)
    .option('--repair', 'set what differs; until it is counted, nobody can change leads or calls')
    .action(printing(verifyCounters));
}

async function verifyCounters({ id, repair }: { id?: number; repair?: boolean }): Promise<Report> {
  const { withCounters } = await import('../operator/operator.js');
  const differences = await withCounters(async (counters) => {
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
      : `${table(['campaign', 'of', 'counter', 'rows', 'counted'], rows)}\n${counted(rows.length, 'difference')}${repaired}.`;
  return { data: { differences, repaired: repair ?? false }, text, failed: differences.length > 0 };
}
