import { Group, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api, type Schemas } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { MetricTile } from '#console/components/metric-tile';
import { Moment } from '#console/components/moment';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { BalanceFilters } from './balance-filters';
import { DailyBalance } from './daily-balance';
import { HourlySpending } from './hourly-spending';

type Movement = Schemas['LedgerEntryResponse'];

/** Mantine's own text colour of teal is too faint for WCAG AA. */
const GAIN = 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))';

export function BalancePage() {
  const { span: _span, ...search } = useSearch({ from: '/shell/balance' });
  const { page: _page, per_page: _size, ...filters } = search;
  const { times } = useSession();
  const query = $api.useQuery(
    'get',
    '/user/ledger',
    { params: { query: { ...search, timezone: times.zone } as never } },
    { placeholderData: keepPreviousData },
  );
  return (
    <ListPage
      title={t.balance.title}
      before={
        <>
          <Tiles />
          <DailyBalance />
          <Title order={2} size="h4" mb={4}>
            {t.balance.ledger}
          </Title>
        </>
      }
      query={query}
      columns={useColumns()}
      rowKey={({ id }) => id}
      filters={<BalanceFilters />}
      hasFilters={Object.keys(filters).length > 0}
      empty={t.balance.empty}
    />
  );
}

function Tiles() {
  const { money } = useSession();
  const { data } = $api.useQuery('get', '/user/me');
  const { tiles } = t.balance;
  return (
    <Group mb="md" style={{ gap: '4px 48px' }}>
      <MetricTile label={tiles.balance} value={data && money(data.total_balance)} />
      <MetricTile
        label={tiles.available}
        value={data && money(data.available_balance)}
        note={tiles.availableNote}
      />
      <HourlySpending />
    </Group>
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
      {wordsOf(kind, reference)}
    </Text>
  );
}

/** References of numbers are `id:month`, those of messages ids; the operator names a top-up, except for the first. */
function wordsOf(kind: string, reference: string): string {
  const [id = '', month = ''] = reference.split(':');
  if (kind.startsWith('phone-number')) return t.balance.number(id, month);
  if (/^opening-balance-\d+$/.test(reference)) return t.balance.opening;
  return kind.startsWith('sms') ? t.balance.message(id) : reference;
}
