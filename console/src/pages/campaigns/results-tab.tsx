import { Group, Progress, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { formatCount, formatShare } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { CampaignDetails } from './use-campaign';
import { lastDays, MOST_DAYS } from './use-figures';

type Field = Schemas['PostCallFieldDto'];

export function ResultsTab({ campaign }: { campaign: CampaignDetails }) {
  const { results } = t.campaigns;
  const assistants = $api.useQuery('get', '/user/assistants');
  const assistant = assistants.data?.find(({ id }) => id === campaign.assistant_id);
  const fields = assistants.data && (assistant?.post_call_schema ?? []);
  // The analytics group by fields with few values.
  const counted = fields?.filter(({ type }) => type !== 'number') ?? [];
  const free = fields?.filter(({ type }) => type === 'number') ?? [];
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
        <Shares title={results.calls} rows={callRows(campaign)} link={callsOf(campaign)} />
        {fields === undefined && !assistants.error && <Skeleton h={160} />}
        {counted.map((field) => (
          <FieldResults key={field.name} campaign={campaign} field={field} />
        ))}
      </SimpleGrid>
      {fields?.length === 0 && (
        <Text c="dimmed">
          {results.noSchema}{' '}
          <LinkAnchor to={`/assistants/${campaign.assistant_id}` as '/assistants'} size="sm">
            {results.toAssistant}
          </LinkAnchor>
        </Text>
      )}
      {free.length > 0 && (
        <Text size="sm" c="dimmed">
          {results.free(free.map(({ name }) => name).join(', '))}
        </Text>
      )}
    </Stack>
  );
}

const callsOf = ({ id }: CampaignDetails): ReactNode => (
  <LinkAnchor to="/calls" search={{ campaign_id: String(id) }} size="sm">
    {t.campaigns.seeCalls}
  </LinkAnchor>
);

interface Row {
  name: string;
  count: number;
}

const callRows = ({ stats }: CampaignDetails): Row[] =>
  Object.entries(stats.calls)
    .map(([status, count]) => ({ name: t.calls.statuses[status] ?? status, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);

function FieldResults({ campaign, field }: { campaign: CampaignDetails; field: Field }) {
  const { times } = useSession();
  const query = $api.useQuery('get', '/user/analytics/calls', {
    params: {
      query: {
        ...lastDays(MOST_DAYS, times.zone),
        interval: 'month',
        metrics: 'calls',
        variable: field.name,
        campaign_id: campaign.id,
      },
    },
  });
  const { error, refetch } = query;
  const rows = query.data?.data.series.map(({ key, totals }) => ({
    name: valueName(key),
    count: totals.calls ?? 0,
  }));
  if (error && !rows) return <ErrorNote error={error} retry={refetch} />;
  if (!rows) return <Skeleton h={160} />;
  return <Shares title={field.name} text={field.description} rows={rows} />;
}

function valueName(key: string | null): string {
  const { results } = t.campaigns;
  if (key === null || key === '') return results.notGiven;
  return { true: results.yes, false: results.no, other: results.other }[key] ?? key;
}

interface SharesProps {
  title: string;
  text?: string;
  rows: Row[];
  link?: ReactNode;
}

function Shares({ title, text, rows, link }: SharesProps) {
  const { results } = t.campaigns;
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <section>
      <Group justify="space-between">
        <Title order={2} size="h5">
          {title}
        </Title>
        {link}
      </Group>
      {text !== undefined && text !== '' && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {all === 0 ? (
        <Text size="sm" c="dimmed">
          {results.none}
        </Text>
      ) : (
        <Table aria-label={title} verticalSpacing={4} horizontalSpacing={0} mt={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th fw={500} c="dimmed">
                {results.value}
              </Table.Th>
              <Table.Th fw={500} c="dimmed" ta="right" w={70}>
                {results.count}
              </Table.Th>
              <Table.Th fw={500} c="dimmed" pl="md">
                {results.share}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, count }) => (
              <Table.Tr key={name}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <Table.Td ta="right">{formatCount(count)}</Table.Td>
                <Table.Td pl="md">
                  <Group gap="xs" wrap="nowrap">
                    <Progress.Root size={6} flex={1} aria-hidden>
                      <Progress.Section value={(count / all) * 100} withAria={false} />
                    </Progress.Root>
                    <Text size="sm" w={40} ta="right">
                      {formatShare(count / all)}
                    </Text>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
