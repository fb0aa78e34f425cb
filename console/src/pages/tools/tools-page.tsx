import { Code, Text } from '@mantine/core';
import { $api } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const texts = t.tools;

export function ToolsPage() {
  const { can } = useSession();
  const query = $api.useQuery('get', '/user/tools', {});
  const createButton = can('write') && (
    <LinkButton to="/tools/new" size="xs">
      {texts.create}
    </LinkButton>
  );
  return (
    <ListPage
      title={texts.title}
      actions={createButton}
      query={{ ...query, data: query.data && { data: query.data } }}
      rowKey={({ id }) => id}
      rowsWhileLoading={5}
      columns={[
        {
          key: 'name',
          header: texts.columns.name,
          cell: ({ id, name }) => (
            <LinkAnchor className="row-link" to="/tools/$id" params={{ id: String(id) }} c="inherit" fz="sm">
              {name}
            </LinkAnchor>
          ),
        },
        {
          key: 'description',
          header: texts.columns.description,
          isSecondary: true,
          cell: ({ description }) => (
            <Text size="sm" lineClamp={2} maw={420}>
              {description}
            </Text>
          ),
        },
        {
          key: 'endpoint',
          header: texts.columns.endpoint,
          cell: ({ method, endpoint }) => (
            <Code style={{ overflowWrap: 'anywhere' }}>
              {method} {endpoint}
            </Code>
          ),
        },
        {
          key: 'updated',
          header: texts.columns.updated,
          isSecondary: true,
          cell: ({ updated_at }) => <Moment at={updated_at} />,
        },
      ]}
      empty={{ ...texts.empty, action: createButton || t.needsScope('write') }}
    />
  );
}
