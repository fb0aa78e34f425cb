import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { FilterAssistant, FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { StatusBadge } from '#console/components/status-badge';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { partnerOf, stateOf, type Conversation } from './conversation-words';

/** Messages come at any time. */
const LOOK_MS = 15_000;

export function ConversationsPage() {
  const search = useSearch({ from: '/shell/conversations' });
  const { page: _page, per_page: _size, ...filters } = search;
  const query = $api.useQuery(
    'get',
    '/user/conversations',
    { params: { query: search as never } },
    { placeholderData: keepPreviousData, refetchInterval: LOOK_MS },
  );
  return (
    <ListPage
      title={t.conversations.title}
      query={query}
      columns={useColumns()}
      rowKey={({ id }) => id}
      filters={<Filters />}
      hasFilters={Object.keys(filters).length > 0}
      empty={{
        ...t.conversations.empty,
        action: <LinkButton to="/assistants">{t.conversations.empty.action}</LinkButton>,
      }}
    />
  );
}

function Filters() {
  const { filters, types } = t.conversations;
  return (
    <>
      <FilterSelect name="type" label={filters.type} data={optionsOf(types)} />
      <FilterAssistant />
      <FilterText
        name="external_identifier"
        label={filters.customer}
        placeholder={filters.customerHint}
        w={220}
      />
    </>
  );
}

function useColumns(): Column<Conversation>[] {
  const { money } = useSession();
  const { columns, types } = t.conversations;
  return [
    {
      key: 'who',
      header: columns.who,
      cell: (chat) => (
        <LinkAnchor className="row-link" to="/conversations/$id" params={{ id: chat.id }} c="inherit" fz="sm">
          {partnerOf(chat)}
        </LinkAnchor>
      ),
    },
    { key: 'type', header: columns.type, isSecondary: true, cell: ({ type }) => types[type] ?? type },
    {
      key: 'assistant',
      header: columns.assistant,
      isSecondary: true,
      cell: ({ assistant_name: name }) => name,
    },
    {
      key: 'status',
      header: columns.status,
      cell: (chat) => {
        const { tone, label } = stateOf(chat);
        return <StatusBadge tone={tone}>{label}</StatusBadge>;
      },
    },
    {
      key: 'messages',
      header: columns.messages,
      align: 'right',
      cell: ({ message_count: count }) => count,
    },
    {
      key: 'cost',
      header: columns.cost,
      align: 'right',
      isSecondary: true,
      cell: ({ total_cost: cost }) => money(cost),
    },
    {
      key: 'last',
      header: columns.last,
      align: 'right',
      isSecondary: true,
      cell: ({ updated_at: at }) => <Moment at={at} />,
    },
  ];
}
