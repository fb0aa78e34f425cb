import { Button, Tabs, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Download, Eraser } from 'lucide-react';
import { $api } from '#console/api/client';
import { ExportButton } from '#console/components/export-button';
import { lazyDialog } from '#console/components/lazy-part';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { useSearchChange } from '#console/components/use-search-change';
import { Moment } from '#console/components/moment';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import {
  canDownload,
  countedWords,
  lookWhile,
  toneOf,
  type Erasure,
  type Export,
  type Job,
} from './job-words';

const texts = t.personalData;
const { columns } = texts;

const ErasureDialog = lazyDialog('Erasure', async () => (await import('./job-dialog')).ErasureDialog);
const ExportDialog = lazyDialog('Export', async () => (await import('./job-dialog')).ExportDialog);
const NewExport = lazyDialog('NewExport', async () => (await import('./new-export')).default);

export function PersonalDataPage() {
  const { can } = useSession();
  const { tab } = useSearch({ from: '/shell/personal-data' });
  if (!can('admin')) return <PageHeader title={texts.title} text={t.needsScope('admin')} />;
  return tab === 'exports' ? <Exports /> : <Erasures />;
}

/** The page of the list, and the job that is open. */
function useListSearch() {
  const { page, per_page, job } = useSearch({ from: '/shell/personal-data' });
  const change = useSearchChange();
  return {
    query: { params: { query: { page, per_page } } },
    open: job === undefined ? null : Number(job),
    close: () => change({ job: undefined }),
  };
}

const eraseButton = (
  <LinkButton to="/personal-data/erase" size="xs" leftSection={<Eraser size={14} />}>
    {texts.erase.action}
  </LinkButton>
);

function Erasures() {
  const { query, open, close } = useListSearch();
  const list = $api.useQuery('get', '/user/erasures', query, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookWhile(state.data?.data),
  });
  return (
    <>
      <ListPage
        title={texts.title}
        text={texts.text}
        before={<JobTabs open="erasures" />}
        actions={eraseButton}
        query={list}
        columns={ERASURE_COLUMNS}
        rowKey={({ id }) => id}
        rowsWhileLoading={5}
        empty={{ ...texts.erase.empty, action: eraseButton }}
      />
      {open !== null && <ErasureDialog id={open} close={close} />}
    </>
  );
}

function Exports() {
  const { query, open, close } = useListSearch();
  const [isAdding, adding] = useDisclosure(false);
  const list = $api.useQuery('get', '/user/exports', query, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookWhile(state.data?.data),
  });
  const exportButton = (
    <Button size="xs" leftSection={<Download size={14} />} onClick={adding.open}>
      {texts.export.action}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.title}
        text={texts.text}
        before={<JobTabs open="exports" />}
        actions={exportButton}
        query={list}
        columns={EXPORT_COLUMNS}
        rowKey={({ id }) => id}
        rowsWhileLoading={5}
        empty={{ ...texts.export.empty, action: exportButton }}
      />
      {isAdding && <NewExport close={adding.close} />}
      {open !== null && <ExportDialog id={open} close={close} />}
    </>
  );
}

/** Each tab is a list of its own, below it. */
function JobTabs({ open }: { open: keyof typeof texts.tabs }) {
  const change = useSearchChange();
  return (
    <Tabs
      value={open}
      onChange={(next) =>
        change({ tab: next === 'exports' ? next : undefined, page: undefined, job: undefined })
      }
      mb="md"
    >
      <Tabs.List>
        {Object.entries(texts.tabs).map(([name, label]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

const NUMBER: Column<Job> = {
  key: 'number',
  header: columns.number,
  cell: ({ id, phone_number: number }) => (
    <LinkAnchor
      className="row-link"
      to="."
      search={((former: object) => ({ ...former, job: String(id) })) as never}
      c="inherit"
      fz="sm"
    >
      {number}
    </LinkAnchor>
  ),
};
const STATUS: Column<Job> = {
  key: 'status',
  header: columns.status,
  cell: (job) => <StatusBadge tone={toneOf(job)}>{texts.statuses[job.status] ?? job.status}</StatusBadge>,
};
const countsColumn = (header: string): Column<Job> => ({
  key: 'counts',
  header,
  isSecondary: true,
  cell: countedWords,
});
const CREATED: Column<Job> = {
  key: 'created',
  header: columns.created,
  isSecondary: true,
  cell: ({ created_at: at }) => <Moment at={at} />,
};

const ERASURE_COLUMNS: Column<Erasure>[] = [
  NUMBER,
  STATUS,
  countsColumn(columns.found),
  CREATED,
  {
    key: 'finished',
    header: columns.finished,
    isSecondary: true,
    cell: ({ finished_at: at }) => <Moment at={at} />,
  },
];

const EXPORT_COLUMNS: Column<Export>[] = [
  NUMBER,
  STATUS,
  countsColumn(columns.exported),
  CREATED,
  {
    key: 'expires',
    header: columns.expires,
    isSecondary: true,
    cell: (job) => <Moment at={canDownload(job) ? job.expires_at : null} />,
  },
  {
    key: 'archive',
    header: <VisuallyHidden>{t.list.actions}</VisuallyHidden>,
    align: 'right',
    cell: (job) => canDownload(job) && <DownloadButton job={job} />,
  },
];

/** Its row is a link, too. */
const DownloadButton = ({ job: { id, phone_number } }: { job: Export }) => (
  <span className="above-link">
    <ExportButton
      path={`/user/exports/${id}/archive`}
      filters={{}}
      name={`export-${id}.zip`}
      texts={texts.export.texts}
      label={texts.export.downloadOf(phone_number)}
    />
  </span>
);
