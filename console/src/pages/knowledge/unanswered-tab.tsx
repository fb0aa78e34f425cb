import { Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api, type Schemas } from '#console/api/client';
import { EmptyState } from '#console/components/empty-state';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DataTable, Pages, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';

type Unanswered = Schemas['UnansweredResponse'];

const texts = t.knowledge.unanswered;

export function UnansweredTab({ baseId }: { baseId: number }) {
  const { page, per_page } = useSearch({ from: '/shell/knowledge/$id' });
  const { data, error, refetch, isPlaceholderData } = $api.useQuery(
    'get',
    '/user/knowledgebases/{id}/unanswered',
    { params: { path: { id: baseId }, query: { page, per_page } } },
    { placeholderData: keepPreviousData },
  );
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data?.data.length === 0) return <EmptyState {...texts.none} />;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.text}
      </Text>
      <DataTable
        title={texts.table}
        rows={data?.data}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowsWhileLoading={3}
        isOld={isPlaceholderData}
      />
      {data && <Pages {...data} />}
    </Stack>
  );
}

const COLUMNS: Column<Unanswered>[] = [
  {
    key: 'question',
    header: texts.question,
    cell: ({ question }) => (
      <LinkAnchor
        className="row-link"
        to="."
        search={(former: object) => ({ ...former, q: question })}
        aria-label={texts.ask(question)}
        c="inherit"
        fz="sm"
        style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
      >
        {question}
      </LinkAnchor>
    ),
  },
  { key: 'times', header: texts.times, align: 'right', cell: ({ times_asked: times }) => formatCount(times) },
  {
    key: 'last',
    header: texts.last,
    align: 'right',
    isSecondary: true,
    cell: ({ last_asked_at: at }) => <Moment at={at} />,
  },
];
