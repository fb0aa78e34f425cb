import type { CampaignDetailsResponse } from '#src/modules/campaigns/dto/campaign.response.js';
import { progressBar, type LinesView } from './live-lines.js';
import { formatQuantity } from './output.js';

export interface CampaignWatch {
  read(): Promise<CampaignDetailsResponse>;
  view: LinesView;
  wait(): Promise<void>;
  /** Ends the watch. */
  signal: AbortSignal;
}

const RUNNING = ['initiated', 'ringing', 'in-progress'];
const CLOSED = ['completed', 'reached-max-retries', 'blacklisted'];
const ENDED = ['completed', 'stopped'];

/** Shows a campaign until it has ended and no call of it runs any more. @returns its last state */
export async function watchCampaign({
  read,
  view,
  wait,
  signal,
}: CampaignWatch): Promise<CampaignDetailsResponse> {
  for (;;) {
    const campaign = await read();
    view.show(linesOf(campaign));
    const isOver = ENDED.includes(campaign.status) && sum(campaign.stats.calls, RUNNING) === 0;
    if (isOver || signal.aborted) return campaign;
    await wait();
  }
}

function linesOf(campaign: CampaignDetailsResponse): string[] {
  const { name, status, stopped_reason, paused_reason, estimated_end_at, stats } = campaign;
  const reason = stopped_reason ?? paused_reason;
  const leads = sum(stats.leads, Object.keys(stats.leads));
  const closed = sum(stats.leads, CLOSED);
  return [
    `${name}: ${status}${reason ? ` (${reason})` : ''}, ${formatQuantity(sum(stats.calls, RUNNING), 'call')} now`,
    `${progressBar(leads > 0 ? closed / leads : 0)} ${closed}/${leads} leads done${estimated_end_at ? `, estimated end ${estimated_end_at} UTC` : ''}`,
    ...Object.entries(stats).map(([what, counts]) => `${what.padEnd(9)}  ${shown(counts)}`),
  ];
}

const sum = (counts: Record<string, number>, names: readonly string[]): number =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

const shown = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${name} ${n}`)
    .join('  ') || '-';
