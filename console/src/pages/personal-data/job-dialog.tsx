import { Alert, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { ExportButton } from '#console/components/export-button';
import { Facts, Section, type Fact } from '#console/components/facts';
import { Moment } from '#console/components/moment';
import { StatusBadge } from '#console/components/status-badge';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import {
  canDownload,
  countsOf,
  isOver,
  lookWhile,
  toneOf,
  type Erasure,
  type Export,
  type Job,
} from './job-words';

const texts = t.personalData;

interface JobDialogProps {
  id: number;
  close: () => void;
}

/** Follows it while it runs. */
export function ErasureDialog({ id, close }: JobDialogProps) {
  const query = $api.useQuery(
    'get',
    '/user/erasures/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => lookWhile(state.data && [state.data.data]) },
  );
  const job = query.data?.data;
  return (
    <JobDialog title={job && texts.job.erasure(id, job.phone_number)} query={query} close={close}>
      {job && (
        <JobView job={job} counts={texts.job.counts.erasure} waits={waitOf(job)} facts={keptFact(job)} />
      )}
    </JobDialog>
  );
}

export function ExportDialog({ id, close }: JobDialogProps) {
  const query = $api.useQuery(
    'get',
    '/user/exports/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => lookWhile(state.data && [state.data.data]) },
  );
  const job = query.data?.data;
  return (
    <JobDialog title={job && texts.job.export(id, job.phone_number)} query={query} close={close}>
      {job && <JobView job={job} counts={texts.job.counts.export} facts={expiryFact(job)} />}
      {job?.status === 'done' && <Archive job={job} />}
    </JobDialog>
  );
}

interface DialogProps {
  title: string | undefined;
  query: { data: unknown; error: unknown; refetch: () => unknown };
  close: () => void;
  children: ReactNode;
}

function JobDialog({ title, query: { data, error, refetch }, close, children }: DialogProps) {
  return (
    <Modal opened onClose={close} size="lg" title={title ?? texts.job.other}>
      <Stack>
        {children}
        {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton h={240} />)}
      </Stack>
    </Modal>
  );
}

interface JobViewProps {
  job: Job;
  /** Title of what it has counted. */
  counts: string;
  /** What it waits for, as a sentence. */
  waits?: string | null;
  facts: Fact[];
}

function JobView({ job, counts, waits = null, facts }: JobViewProps) {
  const found = countsOf(job);
  const rows: Fact[] = [
    [
      texts.job.status,
      <Group key="status" gap="xs" role="status">
        <StatusBadge tone={toneOf(job)}>{texts.statuses[job.status] ?? job.status}</StatusBadge>
        {waits}
      </Group>,
    ],
    [texts.job.requested, <Moment key="requested" at={job.created_at} />],
    [texts.job.finished, <Moment key="finished" at={job.finished_at} />],
    ...facts,
  ];
  return (
    <>
      <Facts rows={rows} />
      {job.status === 'failed' && (
        <Alert color="red" role="alert">
          {job.error} {texts.job.failed}
        </Alert>
      )}
      <Section title={counts} none={isOver(job) ? texts.job.none : texts.job.noneYet}>
        {found.length > 0 && <Facts rows={found.map(([kind, n]): Fact => [kind, formatCount(n)])} />}
      </Section>
    </>
  );
}

const waitOf = (job: Erasure): string | null =>
  job.waits_for === null || isOver(job)
    ? null
    : (texts.waitsFor[job.waits_for] ?? texts.waits(job.waits_for));

const keptFact = ({ keep_suppressed: isKept }: Erasure): Fact[] => [
  [texts.job.keep, isKept ? texts.job.kept : texts.job.notKept],
];

const expiryFact = (job: Export): Fact[] =>
  canDownload(job) ? [[texts.job.expires, <Moment key="expires" at={job.expires_at} />]] : [];

function Archive({ job }: { job: Export }) {
  if (!canDownload(job)) return <Text size="sm">{texts.job.gone}</Text>;
  return (
    <Group justify="flex-end">
      <ExportButton
        path={`/user/exports/${job.id}/archive`}
        filters={{}}
        name={`export-${job.id}.zip`}
        texts={texts.export.texts}
      />
    </Group>
  );
}
