import { Box, Group, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { lazyPart } from '#console/components/lazy-part';
import { useSearchChange } from '#console/components/use-search-change';
import { optionsOf } from '#console/components/search-filters';
import { useNow } from '#console/formats/use-now';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const HEIGHT = 220;
const WAITING = <Skeleton h={HEIGHT} />;
const BalancePlot = lazyPart('BalancePlot', async () => (await import('./balance-plot')).default, WAITING);
const DAY_MS = 86_400_000;
const DEFAULT_SPAN = '30';

/** The balance at the end of each of the last days; `span` of the address is their number. */
export function DailyBalance() {
  const { times, money } = useSession();
  const { plot } = t.balance;
  const change = useSearchChange();
  const asked = useSearch({ from: '/shell/balance' }).span ?? DEFAULT_SPAN;
  const span = asked in plot.spans ? asked : DEFAULT_SPAN;
  const now = useNow();
  const query = {
    from: times.day(new Date(now - (Number(span) - 1) * DAY_MS)),
    to: times.day(new Date(now)),
    timezone: times.zone,
  };
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/user/ledger/daily',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const days = data?.data.days;
  const sumOf = (name: 'credits' | 'debits'): string =>
    money((days ?? []).reduce((sum, day) => sum + day[name], 0));
  return (
    <Box component="section" mb="lg">
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={2} size="h4">
          {plot.title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={plot.span}
          data={optionsOf(plot.spans)}
          value={span}
          onChange={(value) => change({ span: value === DEFAULT_SPAN ? undefined : value })}
        />
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {days ? `${plot.sums(sumOf('credits'), sumOf('debits'))} ${plot.select}` : '\u00a0'}
      </Text>
      {error && !days ? (
        <ErrorNote error={error} retry={refetch} />
      ) : days ? (
        <BalancePlot
          days={days}
          height={HEIGHT}
          onSelect={(day) => change({ date_from: day, date_to: day, page: undefined })}
        />
      ) : (
        WAITING
      )}
    </Box>
  );
}
