import { Button, Group, Progress, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { formatCount, formatShare } from '#console/formats/numbers';
import { t } from '#console/texts';
import { countResults, type FieldCounts } from './count-results';
import { countAll } from './leads-bar';
import type { CampaignDetails } from './use-campaign';

type Field = Schemas['PostCallFieldDto'];

/** Campaigns with more leads are counted when it is asked for: their export is long. */
const COUNTED_LEADS = 5_000;
const RECOUNT_MS = 30_000;
/** Values of a field that are shown. */
const SHOWN = 8;

export function ResultsTab({ campaign }: { campaign: CampaignDetails }) {
  const { results } = t.campaigns;
  const assistants = $api.useQuery('get', '/user/assistants');
  const assistant = assistants.data?.find(({ id }) => id === campaign.assistant_id);
  const fields = assistants.data && (assistant?.post_call_schema ?? []);
  return (
    <Stack gap="lg">
      <Shares title={results.calls} rows={callRows(campaign)} link={callsOf(campaign)} />
      {assistants.error && !fields ? (
        <ErrorNote error={assistants.error} retry={assistants.refetch} />
      ) : !fields ? (
        <Skeleton h={160} />
      ) : fields.length === 0 ? (
        <Text c="dimmed">
          {results.noSchema}{' '}
          <LinkAnchor to={`/assistants/${campaign.assistant_id}` as '/assistants'} size="sm">
            {results.toAssistant}
          </LinkAnchor>
        </Text>
      ) : (
        <Fields campaign={campaign} fields={fields} />
      )}
    </Stack>
  );
}

function Fields({ campaign, fields }: { campaign: CampaignDetails; fields: Field[] }) {
  const { results } = t.campaigns;
  const leads = countAll(campaign.stats.leads);
  const isSmall = leads <= COUNTED_LEADS;
  const [isWanted, setWanted] = useState(isSmall);
  const { data, error, refetch } = useQuery({
    queryKey: ['results', campaign.id, fields.map(({ name }) => name)],
    queryFn: ({ signal }) =>
      countResults(
        campaign.id,
        fields.map(({ name }) => name),
        signal,
      ),
    enabled: isWanted,
    refetchInterval: isSmall && campaign.status === 'in-progress' && RECOUNT_MS,
  });
  if (!isWanted) {
    return (
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setWanted(true)}>
        {results.countThem(leads)}
      </Button>
    );
  }
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
      {fields.map(({ name, description }) => {
        const counts = data?.get(name);
        return counts ? (
          <Shares key={name} title={name} text={description} rows={rowsOf(counts)} />
        ) : (
          <Skeleton key={name} h={160} />
        );
      })}
    </SimpleGrid>
  );
}

function rowsOf({ values, others }: FieldCounts): Row[] {
  const { results } = t.campaigns;
  const names: Record<string, string> = { true: results.yes, false: results.no, '': results.notGiven };
  const rows = [...values]
    .map(([value, count]) => ({ name: names[value] ?? value, count }))
    .sort((one, other) => other.count - one.count);
  const rest = rows.slice(SHOWN).reduce((sum, { count }) => sum + count, others);
  return [...rows.slice(0, SHOWN), ...(rest > 0 ? [{ name: results.other, count: rest }] : [])];
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
    <section style={{ maxWidth: 640 }}>
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
