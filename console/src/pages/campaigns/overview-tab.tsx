import { Grid, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { DataTable } from '#console/components/list-page';
import { MetricTile } from '#console/components/metric-tile';
import { formatCount, formatShare } from '#console/formats/numbers';
import { parseTime } from '#console/formats/time';
import { callColumns } from '#console/pages/calls/call-columns';
import { useAssistantName } from '#console/pages/webhooks/delivery-words';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { countAll, LeadsBar, LeadsLegend, progressText } from './leads-bar';
import type { CampaignDetails } from './use-campaign';
import { useTotals } from './use-figures';
import { usePace } from './use-pace';
import { shortTime, type Preview } from './waiting-words';
import { readWeek } from './week-hours';
import { WeekPicture } from './week-picture';

const LATEST = 8;
const LATEST_COLUMNS = callColumns('number', 'status', 'started');

interface OverviewTabProps {
  campaign: CampaignDetails;
  preview: Preview | undefined;
}

export function OverviewTab({ campaign, preview }: OverviewTabProps) {
  const { leads } = campaign.stats;
  const search = { campaign_id: String(campaign.id) };
  const nameOfAssistant = useAssistantName();
  return (
    <Stack gap="xl">
      <section>
        <Group justify="space-between" mb={6}>
          <Text fw={500}>{progressText(leads)}</Text>
          <Group gap="md">
            <LinkAnchor to="/assistants/$id" params={{ id: String(campaign.assistant_id) }} size="sm">
              {t.campaigns.assistant(nameOfAssistant(campaign.assistant_id))}
            </LinkAnchor>
            <LinkAnchor to="/leads" search={search} size="sm">
              {t.campaigns.seeLeads}
            </LinkAnchor>
            <LinkAnchor to="/calls" search={search} size="sm">
              {t.campaigns.seeCalls}
            </LinkAnchor>
          </Group>
        </Group>
        <LeadsBar leads={leads} size={14} />
        <LeadsLegend campaignId={campaign.id} leads={leads} />
        {countAll(leads) === 0 && (
          <LinkButton mt="sm" to="/leads/import" search={search}>
            {t.campaigns.importLeads}
          </LinkButton>
        )}
      </section>
      <Tiles campaign={campaign} preview={preview} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Title order={2} size="h4" mb={6}>
            {t.campaigns.week.title}
          </Title>
          <WeekPicture week={readWeek(campaign)} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Title order={2} size="h4" mb={6}>
            {t.campaigns.events.title}
          </Title>
          <LatestCalls campaignId={campaign.id} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Tiles({ campaign, preview }: OverviewTabProps) {
  const { tiles } = t.campaigns;
  const { money, times } = useSession();
  const totals = useTotals(campaign.id);
  const pace = usePace(campaign.id);
  const calls = totals?.calls ?? 0;
  const end = campaign.estimated_end_at;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      <MetricTile
        label={tiles.answered}
        value={totals && formatShare(calls === 0 ? null : (totals.answered ?? 0) / calls)}
        note={totals && tiles.answeredOf(calls)}
      />
      <MetricTile
        label={tiles.pace}
        value={pace && formatCount(pace.now)}
        note={pace && `${tiles.paceNow}, ${tiles.paceBefore(pace.before)}`}
      />
      {campaign.status === 'in-progress' && (
        <MetricTile
          label={tiles.end}
          value={end === null ? '–' : shortTime(parseTime(end), times)}
          note={end === null ? tiles.endNone : times.zone}
        />
      )}
      <MetricTile
        label={tiles.cost}
        value={totals && money(totals.cost ?? 0)}
        note={totals && calls > 0 && tiles.costEach(money((totals.cost ?? 0) / calls))}
      />
      <MetricTile
        label={tiles.lines}
        value={campaign.max_calls_in_parallel}
        note={campaign.status === 'in-progress' && preview && tiles.linesFree(preview.free_slots)}
      />
    </SimpleGrid>
  );
}

/** Calls whose number, state and time tell how it goes. */
function LatestCalls({ campaignId }: { campaignId: number }) {
  const query = $api.useQuery('get', '/user/calls', {
    params: { query: { campaign_id: campaignId, per_page: LATEST } },
  });
  const calls = query.data?.data;
  if (query.error && !calls) return <ErrorNote error={query.error} retry={query.refetch} />;
  if (calls?.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.campaigns.events.none}
      </Text>
    );
  }
  return (
    <DataTable
      title={t.campaigns.events.title}
      rows={calls}
      columns={LATEST_COLUMNS}
      rowKey={({ id }) => id}
      rowsWhileLoading={LATEST}
    />
  );
}
