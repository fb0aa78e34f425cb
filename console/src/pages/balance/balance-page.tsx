import { Box, Group, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { MetricTile } from '#console/components/metric-tile';
import { Moment } from '#console/components/moment';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

type Movement = Schemas['LedgerEntryResponse'];

const BalancePlot = lazy(() => import('./balance-plot'));

/** The most that the API tells at once. */
const PLOTTED = 100;
const PLOT_HEIGHT = 220;
/** Mantine's own text colour of teal is too faint for WCAG AA. */
const GAIN = 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))';

export function BalancePage() {
  const search = useSearch({ from: '/shell/balance' });
  const query = $api.useQuery(
    'get',
    '/user/ledger',
    { params: { query: search } },
    { placeholderData: keepPreviousData },
  );
  return (
    <ListPage
      title={t.balance.title}
      before={
        <>
          <Tiles />
          <Plot />
          <Title order={2} size="h4" mb={4}>
            {t.balance.ledger}
          </Title>
        </>
      }
      query={query}
      columns={useColumns()}
      rowKey={({ id }) => id}
      empty={t.balance.empty}
    />
  );
}

function Tiles() {
  const { money } = useSession();
  const { data } = $api.useQuery('get', '/user/me');
  const { tiles } = t.balance;
  return (
    <Group gap={48} mb="md">
      <MetricTile label={tiles.balance} value={data && money(data.total_balance)} />
      <MetricTile
        label={tiles.available}
        value={data && money(data.available_balance)}
        note={tiles.availableNote}
      />
    </Group>
  );
}

function Plot() {
  const { data } = $api.useQuery('get', '/user/ledger', { params: { query: { per_page: PLOTTED } } });
  // A line needs two points.
  if (data && data.data.length < 2) return null;
  const waiting = <Skeleton h={PLOT_HEIGHT} />;
  return (
    <Box component="section" mb="lg">
      <Title order={2} size="h4" mb={4}>
        {data ? t.balance.plot.title(data.data.length) : '\u00a0'}
      </Title>
      {data ? (
        <Suspense fallback={waiting}>
          <BalancePlot movements={data.data.toReversed()} height={PLOT_HEIGHT} />
        </Suspense>
      ) : (
        waiting
      )}
    </Box>
  );
}

function useColumns(): Column<Movement>[] {
  const { money } = useSession();
  const { columns, kinds } = t.balance;
  return [
    { key: 'kind', header: columns.kind, cell: ({ kind }) => kinds[kind] ?? kind },
    { key: 'reference', header: columns.reference, cell: (movement) => <Reference movement={movement} /> },
    {
      key: 'amount',
      header: columns.amount,
      align: 'right',
      cell: ({ amount }) => (
        <Text size="sm" component="span" c={amount > 0 ? GAIN : undefined}>
          {amount > 0 ? '+' : ''}
          {money(amount)}
        </Text>
      ),
    },
    { key: 'balance', header: columns.balance, align: 'right', cell: ({ balance }) => money(balance) },
    {
      key: 'created',
      header: columns.created,
      align: 'right',
      isSecondary: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
  ];
}

/** What the money moved for, as far as it has a page. */
function Reference({ movement: { kind, reference } }: { movement: Movement }) {
  if (kind === 'call' || kind === 'call-carrier') {
    return (
      <LinkAnchor to="/calls/$id" params={{ id: reference }} fz="sm">
        {t.balance.call(reference)}
      </LinkAnchor>
    );
  }
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      {reference}
    </Text>
  );
}
