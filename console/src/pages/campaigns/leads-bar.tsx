import { Group, Progress, Text } from '@mantine/core';
import { LinkAnchor } from '#console/components/links';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import classes from './week.module.css';

/** Fainter than any other, in light and dark. */
const WAITING = 'color-mix(in srgb, var(--mantine-color-dimmed) 35%, var(--mantine-color-body))';

/** What became of the leads, what is done first. */
const PARTS = [
  ['completed', 'teal.6'],
  ['reached-max-retries', 'gray.6'],
  ['blacklisted', 'red.6'],
  ['processing', 'indigo.5'],
  ['rescheduled', 'yellow.5'],
  ['scheduled', 'yellow.3'],
  ['created', WAITING],
] as const;
const DONE = ['completed', 'reached-max-retries', 'blacklisted'];

export type LeadCounts = Record<string, number>;

export const countAll = (leads: LeadCounts): number => Object.values(leads).reduce((sum, n) => sum + n, 0);
const countDone = (leads: LeadCounts): number => DONE.reduce((sum, status) => sum + (leads[status] ?? 0), 0);

/** Not only retries and appointments, which the estimate of the end does not know, are left. */
export const callsNow = ({ created = 0, processing = 0 }: LeadCounts): boolean => created + processing > 0;

const colorOf = (color: string): string =>
  color === WAITING ? color : `var(--mantine-color-${color.replace('.', '-')})`;

/** One bar of all leads of a campaign, with a sentence instead of colours for screen readers. */
export function LeadsBar({ leads, size = 8 }: { leads: LeadCounts; size?: number }) {
  const { progress } = t.campaigns;
  const all = countAll(leads);
  const parts = PARTS.filter(([status]) => (leads[status] ?? 0) > 0);
  const text = parts
    .map(([status]) => `${progress.states[status]} ${formatCount(leads[status] ?? 0)}`)
    .join(', ');
  return (
    <div role="img" aria-label={all === 0 ? progress.none : text}>
      <Progress.Root size={size} aria-hidden>
        {parts.map(([status, color]) => (
          <Progress.Section
            key={status}
            value={((leads[status] ?? 0) / all) * 100}
            color={colorOf(color)}
            withAria={false}
          />
        ))}
      </Progress.Root>
    </div>
  );
}

/** Above the bar: how far it is. */
export const progressText = (leads: LeadCounts): string => {
  const all = countAll(leads);
  return all === 0 ? t.campaigns.progress.none : t.campaigns.progress.of(countDone(leads), all);
};

/** The states with their numbers, each a link to its leads. */
export function LeadsLegend({ campaignId, leads }: { campaignId: number; leads: LeadCounts }) {
  return (
    <Group gap="md" mt={6}>
      {PARTS.filter(([status]) => (leads[status] ?? 0) > 0).map(([status, color]) => (
        <Group key={status} gap={6} wrap="nowrap">
          <span className={classes.dot} style={{ background: colorOf(color) }} />
          <LinkAnchor to="/leads" search={{ campaign_id: String(campaignId), status }} size="sm" c="inherit">
            {t.campaigns.progress.states[status]}
          </LinkAnchor>
          <Text size="sm" c="dimmed">
            {formatCount(leads[status] ?? 0)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
