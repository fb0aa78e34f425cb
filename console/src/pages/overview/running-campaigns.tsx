import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import type { Schemas } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { formatCount } from '#console/formats/numbers';
import { callsNow } from '#console/pages/campaigns/leads-bar';
import { t } from '#console/texts';

interface RunningCampaignsProps {
  /** Whether there is one that could be started. */
  hasAny: boolean;
  campaigns: Schemas['CampaignResponse'][];
  isPending: boolean;
}

/** States of leads that are not called any more, and of those that are in a call now. */
const PARTS = [
  ['completed', 'teal.6'],
  ['reached-max-retries', 'gray.5'],
  ['blacklisted', 'gray.6'],
  ['processing', 'indigo.5'],
] as const;

export function RunningCampaigns({ campaigns, hasAny, isPending }: RunningCampaignsProps) {
  if (isPending) return <Skeleton h={40} />;
  if (campaigns.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.overview.campaigns.none}{' '}
        <LinkAnchor to={hasAny ? '/campaigns' : '/campaigns/new'} size="sm" underline="always">
          {hasAny ? t.overview.campaigns.start : t.overview.campaigns.create}
        </LinkAnchor>
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {campaigns.map((campaign) => (
        <Campaign key={campaign.id} campaign={campaign} />
      ))}
    </Stack>
  );
}

function Campaign({ campaign }: { campaign: Schemas['CampaignResponse'] }) {
  const { id, name, leads = {}, estimated_end_at: end } = campaign;
  const texts = t.overview.campaigns;
  const all = Object.values(leads).reduce((sum, n) => sum + n, 0);
  const countOf = (status: string): number => leads[status] ?? 0;
  const done =
    all - countOf('created') - countOf('scheduled') - countOf('rescheduled') - countOf('processing');
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <LinkAnchor to={`/campaigns/${id}` as '/campaigns'} size="sm">
          {name}
        </LinkAnchor>
        <Text size="sm" c="dimmed">
          {texts.progress(formatCount(done), formatCount(all))}
          {end !== null && callsNow(leads) && (
            <>
              , {texts.end} <Moment at={end} />
            </>
          )}
        </Text>
      </Group>
      <Progress.Root size={8} mt={4}>
        {PARTS.map(([status, color]) => (
          <Progress.Section
            key={status}
            value={all === 0 ? 0 : (countOf(status) / all) * 100}
            color={color}
            aria-label={`${texts.bar(name)}: ${texts.parts[status]}`}
          />
        ))}
      </Progress.Root>
    </div>
  );
}
