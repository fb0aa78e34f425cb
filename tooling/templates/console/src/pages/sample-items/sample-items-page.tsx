import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const texts = t.sampleItems;

export function SampleItemsPage() {
  const { can } = useSession();
  const search = useSearch({ from: '/shell/sample-items' });
  const query = $api.useQuery(
    'get',
    '/user/sample-items',
    { params: { query: search } },
    { placeholderData: keepPreviousData },
  );
  const create = can('write') && (
    <LinkButton size="xs" to="/sample-items/new">
      {texts.create}
    </LinkButton>
  );
  return (
    <ListPage
      title={texts.title}
      actions={create}
      query={query}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'name',
          header: texts.name,
          cell: ({ id, name }) => (
            <LinkAnchor className="row-link" to="/sample-items/$id" params={{ id: String(id) }} fz="sm">
              {name}
            </LinkAnchor>
          ),
        },
        { key: 'note', header: texts.note, isSecondary: true, cell: ({ note }) => note ?? '–' },
        {
          key: 'created',
          header: texts.createdAt,
          align: 'right',
          cell: ({ created_at: at }) => <Moment at={at} />,
        },
      ]}
      empty={{ ...texts.empty, action: create || t.needsScope('write') }}
    />
  );
}
