import type { Schemas } from '#console/api/client';
import { parseTime } from '#console/formats/time';
import type { Session } from '#console/session/session';
import { t } from '#console/texts';

export type Preview = Schemas['CampaignPreviewResponse'];
export type PreviewedLead = Preview['leads'][number];
type Times = Session['times'];

const DAY_MS = 86_400_000;

/** `08:00`, of another day `Fri 08:00` or with its date. */
export function shortTime(time: Date, times: Times, now = new Date()): string {
  const clock = times.hour(time);
  if (times.day(time) === times.day(now)) return clock;
  const isSoon = time.getTime() - now.getTime() < 6 * DAY_MS && time > now;
  const day = isSoon
    ? new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: times.zone }).format(time)
    : times.date(time);
  return `${day} ${clock}`;
}

/** With the zone's name. */
const timeOf = (at: string | null, times: Times): string | null =>
  at === null ? null : `${shortTime(parseTime(at), times)} (${times.zone})`;

/** Why one lead is not called now, in a sentence. */
export const whyWaits = ({ reason, until }: PreviewedLead, times: Times): string =>
  reason === null ? t.leads.wouldBeCalled : (t.campaigns.reasons[reason]?.(timeOf(until, times)) ?? reason);

export interface WaitGroup {
  /** Null: they may be called now. */
  reason: PreviewedLead['reason'];
  count: number;
  /** Of the first of them. */
  until: string | null;
}

/** The biggest first. */
export function groupWaits(leads: readonly PreviewedLead[]): WaitGroup[] {
  const groups = new Map<PreviewedLead['reason'], WaitGroup>();
  for (const { reason, until } of leads) {
    const group = groups.get(reason) ?? { reason, count: 0, until: null };
    group.count++;
    if (until !== null && (group.until === null || until < group.until)) group.until = until;
    groups.set(reason, group);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

export const describeGroup = ({ reason, count, until }: WaitGroup, times: Times): string =>
  reason === null
    ? t.campaigns.says.now(count)
    : (t.campaigns.groups[reason]?.(count, timeOf(until, times)) ?? `${count} ${reason}`);

/** For good: starting the campaign or waiting changes nothing. */
const BLOCKED = ['no_timezone', 'suppressed', 'destination_not_allowed', 'no_number_left'];

/** Of the leads that wait: those that are never called. The preview knows only the next ones. */
export const countBlocked = ({ leads }: Preview): number =>
  leads.filter(({ reason }) => BLOCKED.includes(reason ?? '')).length;

/** The answer of a campaign's page: does it call, and if not, why. */
export function describeCampaign(
  campaign: Pick<Schemas['CampaignDetailsResponse'], 'status' | 'stopped_reason' | 'stats'>,
  preview: Preview,
  times: Times,
): string[] {
  const { says, obstacles } = t.campaigns;
  const { leads } = campaign.stats;
  const of = (...statuses: string[]): number =>
    statuses.reduce((sum, status) => sum + (leads[status] ?? 0), 0);
  const all = Object.values(leads).reduce((sum, n) => sum + n, 0);
  const waiting = of('created', 'scheduled', 'rescheduled');
  const blocked = groupWaits(preview.leads)
    .filter(({ reason }) => BLOCKED.includes(reason ?? ''))
    .map((group) => describeGroup(group, times));
  if (of('blacklisted') > 0) blocked.push(says.blocked(of('blacklisted')));
  const called = waiting - countBlocked(preview);
  const inCall = of('processing') > 0 ? [says.inCall(of('processing'))] : [];
  if (all === 0) return [says.noLeads];
  if (campaign.status === 'completed') return [says.completed, ...inCall, ...blocked];
  if (campaign.status !== 'in-progress') {
    const why = campaign.stopped_reason === null ? says[campaign.status] : obstacles[campaign.stopped_reason];
    return [why ?? '', ...inCall, called > 0 ? says.wouldCall(called) : says.nothing, ...blocked];
  }
  if (waiting === 0 && inCall.length === 0) return [says.nothing, ...blocked];
  const obstacle =
    preview.reason === null || preview.reason === 'no_free_slot' ? null : obstacles[preview.reason];
  if (obstacle != null) return [obstacle, ...inCall, ...blocked];
  const groups = groupWaits(preview.leads).filter(
    ({ reason }) => reason !== 'in_call' || inCall.length === 0,
  );
  const first = waiting > preview.leads.length ? [says.first(preview.leads.length, waiting)] : [];
  const refused = of('blacklisted') > 0 ? [says.blocked(of('blacklisted'))] : [];
  return [...inCall, ...first, ...groups.map((group) => describeGroup(group, times)), ...refused];
}
