import { Box, Button, Grid, Skeleton, Tabs } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { $api, api } from '#console/api/client';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { NeedsScope } from '#console/components/needs-scope';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { useRemoval } from '#console/components/use-removal';
import { t } from '#console/texts';
import { DocumentsTab } from './documents-tab';
import { describeBase, LOOK_MS, toneOf, type Base } from './knowledge-words';
import { SearchPanel } from './search-panel';
import { SettingsTab } from './settings-tab';
import { UnansweredTab } from './unanswered-tab';
import { useUploads } from './use-uploads';

const texts = t.knowledge;
/** Below the header while one scrolls through the documents. */
const STICKY = { position: 'sticky', top: 64 } as const;

const above = [
  <LinkAnchor key="list" to="/knowledge" size="sm">
    {texts.title}
  </LinkAnchor>,
];

export function BasePage() {
  const { id } = useParams({ from: '/shell/knowledge/$id' });
  return <BaseView key={id} id={Number(id)} />;
}

function BaseView({ id }: { id: number }) {
  const { tab = 'documents' } = useSearch({ from: '/shell/knowledge/$id' });
  const change = useSearchChange();
  const query = $api.useQuery(
    'get',
    '/user/knowledgebases/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'processing' ? LOOK_MS : false) },
  );
  const documents = $api.useQuery(
    'get',
    '/user/knowledgebases/{knowledgebaseId}/documents',
    { params: { path: { knowledgebaseId: id } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'processing') ? LOOK_MS : false,
    },
  );
  // Here: they go on while another tab is open.
  const uploads = useUploads(id);
  const base = query.data?.data;
  if (query.error && !base) return <FailedPage title={texts.title} above={above} query={query} />;
  return (
    <>
      <PageHeader
        title={base?.name ?? '…'}
        above={above}
        text={
          base && documents.data ? (
            <span role="status">{describeBase(base, documents.data.data)}</span>
          ) : (
            <Skeleton h={14} w={420} mt={4} />
          )
        }
        actions={
          base && <Actions base={base} documents={documents.data?.data.length ?? base.documents_count} />
        }
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Tabs
            value={tab}
            onChange={(next) =>
              change({ tab: next === 'documents' || next === null ? undefined : next, page: undefined })
            }
            keepMounted={false}
            keepMountedMode="display-none"
          >
            <Tabs.List mb="md">
              {Object.entries(texts.tabs).map(([name, label]) => (
                <Tabs.Tab key={name} value={name}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="documents">
              <DocumentsTab baseId={id} query={documents} uploads={uploads} />
            </Tabs.Panel>
            <Tabs.Panel value="unanswered">
              <UnansweredTab baseId={id} />
            </Tabs.Panel>
            {/* What is typed stays while another tab is open. */}
            <Tabs.Panel value="settings" keepMounted>
              {base ? <SettingsTab base={base} /> : <Skeleton h={220} />}
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Box style={STICKY}>
            <SearchPanel baseId={id} />
          </Box>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Actions({ base, documents }: { base: Base; documents: number }) {
  const removal = useRemoval();
  const { id, name, status, assistants_count: assistants } = base;
  const { title, text } = texts.deleteQuestion;
  const remove = (): Promise<void> =>
    removal({
      question: { title: title(name), text: text(documents, assistants), confirm: texts.delete },
      remove: () => api.DELETE('/user/knowledgebases/{id}', { params: { path: { id } } }),
      done: texts.deleted(name),
      failed: texts.deleteFailed,
      list: '/knowledge',
    });
  return (
    <>
      <StatusBadge tone={toneOf(status)}>{texts.statuses[status] ?? status}</StatusBadge>
      <NeedsScope scope="write">
        {(refusal) => (
          <Button variant="default" size="xs" onClick={() => void remove()} {...refusal}>
            {texts.delete}
          </Button>
        )}
      </NeedsScope>
    </>
  );
}
