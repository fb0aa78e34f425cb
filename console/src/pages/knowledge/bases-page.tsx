import { $api } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { StatusBadge } from '#console/components/status-badge';
import { formatCount } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { languageOf, LOOK_MS, toneOf, type Base } from './knowledge-words';

const texts = t.knowledge;
const { columns: headers } = texts;

export function BasesPage() {
  const { can } = useSession();
  const query = $api.useQuery('get', '/user/knowledgebases', undefined, {
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'processing') ? LOOK_MS : false,
  });
  const createButton = can('write') && (
    <LinkButton to="/knowledge/new" size="xs">
      {texts.create}
    </LinkButton>
  );
  return (
    <ListPage
      title={texts.title}
      actions={createButton}
      query={query}
      rowKey={({ id }) => id}
      rowsWhileLoading={5}
      columns={COLUMNS}
      empty={{ ...texts.empty, action: createButton || t.needsScope('write') }}
    />
  );
}

const COLUMNS: Column<Base>[] = [
  {
    key: 'name',
    header: headers.name,
    cell: ({ id, name }) => (
      <LinkAnchor className="row-link" to="/knowledge/$id" params={{ id: String(id) }} c="inherit" fz="sm">
        {name}
      </LinkAnchor>
    ),
  },
  {
    key: 'status',
    header: headers.status,
    cell: ({ status }) => <StatusBadge tone={toneOf(status)}>{texts.statuses[status] ?? status}</StatusBadge>,
  },
  {
    key: 'documents',
    header: headers.documents,
    align: 'right',
    isSecondary: true,
    cell: ({ documents_count: count }) => formatCount(count),
  },
  {
    key: 'assistants',
    header: headers.assistants,
    align: 'right',
    isSecondary: true,
    cell: ({ assistants_count: count }) => formatCount(count),
  },
  {
    key: 'language',
    header: headers.language,
    isSecondary: true,
    cell: ({ language }) => languageOf(language),
  },
  {
    key: 'updated',
    header: headers.updated,
    isSecondary: true,
    align: 'right',
    cell: ({ updated_at: at }) => <Moment at={at} />,
  },
];
