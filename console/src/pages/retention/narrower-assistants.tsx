import { Text } from '@mantine/core';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DataTable, type Column } from '#console/components/list-page';
import { t } from '#console/texts';
import { narrowerFields, type AssistantRetention, type Retention } from './retention-rules';
import { rulesText } from './rules-text';

const { assistants: texts } = t.retention;

/** More are counted only. */
const MOST_ROWS = 100;

interface Narrower {
  id: number;
  name: string;
  rules: string;
}

/** Assistants whose own rules keep less than the account does, each with a link to them. */
export function NarrowerAssistants({ account }: { account: Retention }) {
  const { data, error, refetch } = $api.useQuery('get', '/user/assistants');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const found = data?.flatMap(({ id, name, retention = null }): Narrower[] => {
    const rules = rulesOf(account, retention);
    return rules === '' ? [] : [{ id, name, rules }];
  });
  if (found?.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.none}
      </Text>
    );
  const left = (found?.length ?? 0) - MOST_ROWS;
  return (
    <>
      <DataTable
        title={texts.title}
        rows={found?.slice(0, MOST_ROWS)}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowsWhileLoading={2}
      />
      {left > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.more(left)}
        </Text>
      )}
    </>
  );
}

/** Those that keep less than the account does. */
const rulesOf = (account: Retention, own: AssistantRetention | null): string =>
  own === null
    ? ''
    : rulesText(
        { ...own, mask_numbers: own.mask_numbers && !account.mask_numbers },
        narrowerFields(account, own),
      );

const COLUMNS: Column<Narrower>[] = [
  {
    key: 'name',
    header: texts.name,
    cell: ({ id, name }) => (
      <LinkAnchor
        className="row-link"
        to="/assistants/$id"
        params={{ id: String(id) }}
        search={{ group: 'retention' }}
        c="inherit"
        fz="sm"
        style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
      >
        {name}
      </LinkAnchor>
    ),
  },
  { key: 'rules', header: texts.rules, cell: ({ rules }) => rules },
];
