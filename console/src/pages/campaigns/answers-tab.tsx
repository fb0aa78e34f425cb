import { Group, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { formatCount, formatShare } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { lastDays } from './use-figures';
import { clockOf, WeekGrid } from './week-picture';
import classes from './week.module.css';

const DAYS = ['7', '30', '90', '365'];
const DEFAULT_DAYS = '30';
/** Of fewer calls a share says nothing. */
const ENOUGH_CALLS = 5;

interface Cell {
  weekday: number;
  hour: number;
  calls: number;
  answered: number;
  rate: number | null;
}

export function AnswersTab({ campaignId }: { campaignId: number }) {
  const { answers } = t.campaigns;
  const { times } = useSession();
  const search = useSearch({ from: '/shell/campaigns/$id' });
  const days = DAYS.find((choice) => choice === search.days) ?? DEFAULT_DAYS;
  const change = useSearchChange();
  const range = lastDays(Number(days), times.zone);
  const query = $api.useQuery('get', '/user/analytics/answer-rate', {
    params: { query: { ...range, campaign_id: campaignId } },
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {answers.title}
        </Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {answers.range}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={answers.range}
            data={DAYS.map((value) => ({ value, label: answers.days(Number(value)) }))}
            value={days}
            onChange={(value) => change({ days: value === DEFAULT_DAYS ? undefined : value })}
          />
        </Group>
      </Group>
      {error && !data ? (
        <ErrorNote error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton h={240} maw={760} />
      ) : data.totals.calls === 0 ? (
        <Text c="dimmed">{answers.none}</Text>
      ) : (
        <>
          <Text>
            {answers.summary(formatShare(data.totals.rate), data.totals.calls, bestOf(data.cells))}{' '}
            <Text span c="dimmed">
              {answers.zone(times.zone)}
            </Text>{' '}
            <LinkAnchor
              to="/calls"
              search={{ campaign_id: String(campaignId), date_from: range.from, date_to: range.to }}
              size="sm"
            >
              {t.campaigns.seeCalls}
            </LinkAnchor>
          </Text>
          <HeatMap cells={data.cells} />
          <details>
            <summary style={{ cursor: 'pointer' }}>{answers.table}</summary>
            <RateTable cells={data.cells} />
          </details>
        </>
      )}
    </Stack>
  );
}

const dayOf = ({ weekday }: Cell): string => t.campaigns.week.fullDays[weekday - 1] ?? '';

/** Null: fewer than two hours have enough calls. */
function bestOf(cells: readonly Cell[]): string | null {
  const [best, second] = cells
    .filter(({ calls, rate }) => calls >= ENOUGH_CALLS && rate !== null)
    .sort((one, other) => (other.rate ?? 0) - (one.rate ?? 0));
  return best && second ? `${dayOf(best)} ${clockOf(best.hour)}` : null;
}

function HeatMap({ cells }: { cells: readonly Cell[] }) {
  const { answers } = t.campaigns;
  const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  const scale = [0, 0.25, 0.5, 0.75, 1];
  return (
    <div aria-hidden>
      <WeekGrid
        hourOf={(day, hour) => {
          const cell = at.get(`${day + 1} ${hour}`);
          const isEmpty = cell === undefined || cell.calls === 0;
          return (
            <span
              key={hour}
              className={`${classes.cell} ${isEmpty ? classes.none : classes.heat}`}
              style={{ '--share': cell?.rate ?? 0 } as never}
              title={
                isEmpty ? undefined : answers.cell(dayOf(cell), clockOf(hour), cell.answered, cell.calls)
              }
            />
          );
        }}
      />
      <Group gap={4} mt={6}>
        <Text size="xs" c="dimmed">
          {formatShare(0)}
        </Text>
        {scale.map((share) => (
          <span
            key={share}
            className={`${classes.cell} ${classes.heat}`}
            style={{ '--share': share, width: 22, height: 12 } as never}
          />
        ))}
        <Text size="xs" c="dimmed">
          {formatShare(1)}
        </Text>
      </Group>
    </div>
  );
}

function RateTable({ cells }: { cells: readonly Cell[] }) {
  const { answers } = t.campaigns;
  return (
    <Table aria-label={answers.title} maw={560} mt="xs" verticalSpacing={3}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{answers.weekday}</Table.Th>
          <Table.Th>{answers.hour}</Table.Th>
          <Table.Th ta="right">{answers.calls}</Table.Th>
          <Table.Th ta="right">{answers.answered}</Table.Th>
          <Table.Th ta="right">{answers.rate}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {cells
          .filter(({ calls }) => calls > 0)
          .map((cell) => (
            <Table.Tr key={`${cell.weekday} ${cell.hour}`}>
              <Table.Td>{dayOf(cell)}</Table.Td>
              <Table.Td>{clockOf(cell.hour)}</Table.Td>
              <Table.Td ta="right">{formatCount(cell.calls)}</Table.Td>
              <Table.Td ta="right">{formatCount(cell.answered)}</Table.Td>
              <Table.Td ta="right">{formatShare(cell.rate)}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
