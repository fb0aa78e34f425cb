import { Anchor, Box, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { $api, api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { Facts, type Fact } from '#console/components/facts';
import { FailedPage } from '#console/components/failed-page';
import { lazyDialog } from '#console/components/lazy-part';
import { LinkAnchor } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { StatusBadge } from '#console/components/status-badge';
import { useRemoval } from '#console/components/use-removal';
import { formatBytes } from '#console/formats/numbers';
import { t } from '#console/texts';
import {
  CHUNKS_PER_PAGE,
  LOOK_MS,
  placeOf,
  toneOf,
  type Chunk,
  type KnowledgeDocument,
} from './knowledge-words';

const RenameDocument = lazyDialog('RenameDocument', async () => (await import('./rename-document')).default);

const { document: texts, statuses, types } = t.knowledge;

export function DocumentPage() {
  const params = useParams({ from: '/shell/knowledge/$id/documents/$document' });
  const path = { knowledgebaseId: Number(params.id), id: Number(params.document) };
  const search = useSearch({ from: '/shell/knowledge/$id/documents/$document' });
  const query = $api.useQuery(
    'get',
    '/user/knowledgebases/{knowledgebaseId}/documents/{id}',
    { params: { path } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'processing' ? LOOK_MS : false) },
  );
  const document = query.data?.data;
  const name = document?.name ?? '…';
  const columns = useMemo(() => columnsOf(name), [name]);
  const chunks = $api.useQuery(
    'get',
    '/user/knowledgebases/{knowledgebaseId}/documents/{id}/chunks',
    { params: { path, query: { per_page: CHUNKS_PER_PAGE, ...search } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: document?.status === 'processing' ? LOOK_MS : false,
    },
  );
  const { refetch } = chunks;
  const status = document?.status;
  // The last look at the passages may be older than the end of the reading.
  useEffect(() => {
    if (status === 'active') void refetch();
  }, [status, refetch]);
  const base = $api.useQuery('get', '/user/knowledgebases/{id}', {
    params: { path: { id: path.knowledgebaseId } },
  }).data?.data;
  const above = [
    <LinkAnchor key="list" to="/knowledge" size="sm">
      {t.knowledge.title}
    </LinkAnchor>,
    <LinkAnchor key="base" to="/knowledge/$id" params={{ id: params.id }} size="sm">
      {base?.name ?? '…'}
    </LinkAnchor>,
  ];
  if (query.error && !document) return <FailedPage title={t.knowledge.title} above={above} query={query} />;
  return (
    <ListPage
      title={name}
      text={document && <span role="status">{sentenceOf(document)}</span>}
      above={above}
      actions={document && <Actions document={document} baseId={path.knowledgebaseId} />}
      before={document && <DocumentFacts document={document} />}
      query={chunks}
      rowKey={({ seq }) => seq}
      rowsWhileLoading={5}
      columns={columns}
      empty={document?.status === 'processing' ? texts.reading : texts.noPassages}
    />
  );
}

function sentenceOf({ status, chunks_count: count, failure_reason: reason }: KnowledgeDocument): string {
  if (status === 'failed') return texts.failed(reason ?? '');
  if (status === 'processing') return count > 0 ? texts.refreshing : texts.processing;
  return texts.active(count);
}

function Actions({ document, baseId }: { document: KnowledgeDocument; baseId: number }) {
  const { id, name, type, status } = document;
  const [isRenaming, renaming] = useDisclosure(false);
  const params = { path: { knowledgebaseId: baseId, id } };
  const refresh = $api.useMutation('post', '/user/knowledgebases/{knowledgebaseId}/documents/{id}/refresh', {
    onSuccess: () => {
      notifyDone(texts.refreshed);
      return queryClient.invalidateQueries();
    },
    onError: (error: unknown) => notifyFailed(texts.refreshFailed, error),
  });
  const removal = useRemoval();
  const { title, text } = texts.deleteQuestion;
  const remove = (): Promise<void> =>
    removal({
      question: { title: title(name), text, confirm: t.knowledge.delete },
      remove: () => api.DELETE('/user/knowledgebases/{knowledgebaseId}/documents/{id}', { params }),
      done: t.knowledge.deleted(name),
      failed: t.knowledge.deleteFailed,
      list: `/knowledge/${baseId}`,
    });
  const button = (label: string, act: () => void, isBusy = false) => (
    <NeedsScope scope="write">
      {(refusal) => (
        <Button size="xs" variant="default" loading={isBusy} onClick={act} {...refusal}>
          {label}
        </Button>
      )}
    </NeedsScope>
  );
  return (
    <>
      <StatusBadge tone={toneOf(status)}>{statuses[status] ?? status}</StatusBadge>
      {type === 'website' && button(texts.refresh, () => refresh.mutate({ params }), refresh.isPending)}
      {button(texts.edit, renaming.open)}
      {button(t.knowledge.delete, () => void remove())}
      {isRenaming && <RenameDocument document={document} baseId={baseId} close={renaming.close} />}
    </>
  );
}

function DocumentFacts({ document }: { document: KnowledgeDocument }) {
  const { type, size, links, relative_links_limit: limit, description, created_at: at } = document;
  const rows: Fact[] = [
    [t.knowledge.documents.type, types[type] ?? type],
    ...(size > 0 ? [[texts.size, formatBytes(size)] as Fact] : []),
    ...(links.length > 0
      ? ([
          [texts.addresses, <Addresses key="links" links={links} />],
          [texts.limit, texts.limitOf(limit)],
        ] as Fact[])
      : []),
    ...(description === null ? [] : [[texts.description, description] as Fact]),
    [texts.added, <Moment key="added" at={at} />],
  ];
  return (
    <Box maw={720} mb="md">
      <Facts rows={rows} />
    </Box>
  );
}

const Addresses = ({ links }: { links: readonly string[] }) => (
  <Stack gap={2}>
    {links.map((link) => (
      <Address key={link} url={link} />
    ))}
  </Stack>
);

const Address = ({ url }: { url: string }) => (
  <Anchor href={url} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
    {url}
  </Anchor>
);

const columnsOf = (name: string): Column<Chunk>[] => [
  { key: 'seq', header: texts.passage, align: 'right', width: 48, cell: ({ seq }) => seq },
  {
    key: 'place',
    header: texts.place,
    width: '28%',
    isSecondary: true,
    cell: (chunk) => <Place chunk={chunk} name={name} />,
  },
  {
    key: 'text',
    header: texts.text,
    cell: (chunk) => (
      <>
        <Box hiddenFrom="sm">
          <Place chunk={chunk} name={name} />
        </Box>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {chunk.text}
        </Text>
      </>
    ),
  },
];

function Place({ chunk, name }: { chunk: Chunk; name: string }) {
  const place = placeOf(chunk, name);
  return (
    <>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {place === '' && chunk.url === null ? '–' : place}
      </Text>
      {chunk.url !== null && <Address url={chunk.url} />}
    </>
  );
}
