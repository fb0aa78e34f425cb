import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { $api, type Schemas } from '#console/api/client';
import { FilterDays } from '#console/components/filter-days';
import { LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { StatusBadge, type Tone } from '#console/components/status-badge';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

type Message = Schemas['SmsResponse'];

/** While the carrier has not answered, so often. */
const LOOK_MS = 5_000;
const TONES: Record<Message['status'], Tone> = {
  pending: 'waiting',
  sent: 'running',
  delivered: 'good',
  failed: 'bad',
};

export function MessagesPage() {
  const search = useSearch({ from: '/shell/messages' });
  const { page: _page, per_page: _size, ...filters } = search;
  const { zone } = useSession().times;
  const query = $api.useQuery(
    'get',
    '/user/sms',
    { params: { query: { ...search, timezone: zone } as never } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'pending') ? LOOK_MS : false,
    },
  );
  const send = (
    <LinkButton to="/messages/new" size="xs" leftSection={<Send size={14} />}>
      {t.messages.send}
    </LinkButton>
  );
  return (
    <ListPage
      title={t.messages.title}
      actions={send}
      query={query}
      columns={useColumns()}
      rowKey={({ id }) => id}
      filters={<Filters />}
      hasFilters={Object.keys(filters).length > 0}
      empty={{ ...t.messages.empty, action: send }}
    />
  );
}

function Filters() {
  const { filters, statuses } = t.messages;
  return (
    <>
      <FilterText name="phone_number" label={filters.phone} placeholder="+1 500 555 …" />
      <FilterSelect name="status" label={filters.status} data={optionsOf(statuses)} />
      <FilterDays />
    </>
  );
}

function useColumns(): Column<Message>[] {
  const { money } = useSession();
  const { columns, statuses } = t.messages;
  return [
    {
      key: 'to',
      header: columns.to,
      cell: ({ to }) => <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(to)}</span>,
    },
    {
      key: 'body',
      header: columns.body,
      cell: ({ body }) => (
        <Text size="sm" maw={560} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {body}
        </Text>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      cell: ({ status }) => <StatusBadge tone={TONES[status]}>{statuses[status] ?? status}</StatusBadge>,
    },
    {
      key: 'segments',
      header: columns.segments,
      align: 'right',
      isSecondary: true,
      cell: ({ segments }) => segments,
    },
    {
      key: 'cost',
      header: columns.cost,
      align: 'right',
      isSecondary: true,
      cell: ({ total_cost: cost }) => money(cost),
    },
    {
      key: 'created',
      header: columns.created,
      align: 'right',
      isSecondary: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
  ];
}
