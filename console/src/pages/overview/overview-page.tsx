import { Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { ErrorNote } from '#console/components/error-note';
import { lazyPart } from '#console/components/lazy-part';
import { LinkAnchor } from '#console/components/links';
import { DataTable } from '#console/components/list-page';
import { PageHeader } from '#console/components/page-header';
import { formatCount, formatShare } from '#console/formats/numbers';
import { callColumns } from '#console/pages/calls/call-columns';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { Attention } from './attention';
import { RunningCampaigns } from './running-campaigns';
import { Tiles } from './tiles';
import { useCampaigns, useFreshFigures, useLatestCalls, useToday, type Analytics } from './use-overview';
import { Welcome } from './welcome';

const CHART_HEIGHT = 200;
const HoursChart = lazyPart(
  'HoursChart',
  async () => (await import('./hours-chart')).default,
  <Skeleton h={CHART_HEIGHT} />,
);
const LATEST_COLUMNS = callColumns('number', 'status', 'duration', 'started');

export function OverviewPage() {
  useFreshFigures();
  const campaigns = useCampaigns();
  const latest = useLatestCalls();
  const isNew = latest.data?.total === 0;
  if (latest.error && !latest.data) return <ErrorNote error={latest.error} retry={latest.refetch} />;
  return (
    <>
      <PageHeader title={t.overview.title} />
      <Attention campaigns={campaigns.all} />
      {isNew ? <Welcome /> : <Figures campaigns={campaigns} latest={latest.data?.data} />}
    </>
  );
}

interface FiguresProps {
  campaigns: ReturnType<typeof useCampaigns>;
  latest: NonNullable<ReturnType<typeof useLatestCalls>['data']>['data'] | undefined;
}

function Figures({ campaigns, latest }: FiguresProps) {
  const { day, hours, outcomes } = useToday();
  const texts = t.overview;
  return (
    <Stack gap="xl">
      <Tiles totals={hours.data?.data.totals} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Part
          title={texts.hours.title}
          link={
            <LinkAnchor to="/calls" search={{ date_from: day, date_to: day } as never} size="sm">
              {texts.hours.link}
            </LinkAnchor>
          }
        >
          <Hours analytics={hours.data?.data} />
        </Part>
        <Part title={texts.outcomes.title}>
          <Outcomes series={outcomes.data?.data.series} />
        </Part>
        <Part
          title={texts.campaigns.title}
          link={
            <LinkAnchor to="/campaigns" size="sm">
              {texts.campaigns.all}
            </LinkAnchor>
          }
        >
          <RunningCampaigns
            campaigns={campaigns.running}
            hasAny={(campaigns.all?.length ?? 0) > 0}
            isPending={campaigns.all === undefined}
          />
        </Part>
        <Part
          title={texts.latest.title}
          link={
            <LinkAnchor to="/calls" size="sm">
              {texts.latest.all}
            </LinkAnchor>
          }
        >
          <LatestCalls rows={latest} />
        </Part>
      </SimpleGrid>
    </Stack>
  );
}

function Part({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  return (
    <section style={{ minWidth: 0 }}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </section>
  );
}

function Hours({ analytics }: { analytics: Analytics | undefined }) {
  const { times } = useSession();
  const hours = useMemo(() => {
    const [series] = analytics?.series ?? [];
    return (analytics?.buckets ?? []).map((bucket, n) => ({
      hour: times.hour(new Date(bucket)),
      calls: series?.values.calls?.[n] ?? 0,
      answered: series?.values.answered?.[n] ?? 0,
    }));
  }, [analytics, times]);
  // A plot takes long to draw: not within what else the new figures draw.
  const drawn = useDeferredValue(hours);
  return (
    <div style={{ minHeight: CHART_HEIGHT }}>
      {analytics && <HoursChart hours={drawn} height={CHART_HEIGHT} />}
    </div>
  );
}

function Outcomes({ series }: { series: Analytics['series'] | undefined }) {
  const { outcomes, hours } = t.overview;
  if (!series) return <Skeleton h={CHART_HEIGHT} />;
  const rows = series.map(({ key, label, totals }) => ({ key: key ?? '', label, calls: totals.calls ?? 0 }));
  const all = rows.reduce((sum, { calls }) => sum + calls, 0);
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        {hours.none}
      </Text>
    );
  }
  return (
    <Table aria-label={outcomes.title}>
      <Table.Thead c="dimmed">
        <Table.Tr>
          <Table.Th fw={500}>{outcomes.outcome}</Table.Th>
          <Table.Th fw={500} ta="right">
            {hours.calls}
          </Table.Th>
          <Table.Th fw={500} ta="right">
            {outcomes.share}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, label, calls }) => (
          <Table.Tr key={key}>
            <Table.Td>{outcomes.names[key] ?? label ?? key}</Table.Td>
            <Table.Td ta="right">{formatCount(calls)}</Table.Td>
            <Table.Td ta="right">{formatShare(calls / all)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function LatestCalls({ rows }: { rows: FiguresProps['latest'] }) {
  return (
    <DataTable
      title={t.overview.latest.title}
      rows={rows}
      rowsWhileLoading={8}
      rowKey={({ id }) => id}
      columns={LATEST_COLUMNS}
    />
  );
}
