import { Alert, Button, Group } from '@mantine/core';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import type { StreamEvent } from '#console/api/event-stream';
import { useEventBatches } from '#console/api/use-event-stream';
import { ExportButton } from '#console/components/export-button';
import { LinkButton } from '#console/components/links';
import { ListPage } from '#console/components/list-page';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { callColumns } from './call-columns';
import { CallFilters } from './call-filters';
import type { Call } from './call-words';

const COLUMNS = callColumns(
  'number',
  'status',
  'assistant',
  'campaign',
  'type',
  'answeredBy',
  'duration',
  'cost',
  'started',
);

/** One element: a turned page does not draw the filters again. */
const FILTERS = <CallFilters />;

export function CallsPage() {
  const search = useSearch({ from: '/shell/calls' });
  const { page, per_page, ...filters } = search;
  const { zone: timezone } = useSession().times;
  const query = $api.useQuery(
    'get',
    '/user/calls',
    { params: { query: { ...search, timezone } as never } },
    { placeholderData: keepPreviousData },
  );
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <ListPage
      title={t.calls.title}
      query={query}
      columns={COLUMNS}
      rowKey={(_, index) => index}
      filters={FILTERS}
      hasFilters={hasFilters}
      notice={<NewCalls rows={query.data?.data} isNewestShown={!hasFilters && (page ?? 1) === 1} />}
      empty={{ ...t.calls.empty, action: <LinkButton to="/campaigns">{t.calls.empty.action}</LinkButton> }}
      actions={
        <ExportButton
          path="/user/calls/export"
          filters={{ ...filters, timezone }}
          name="calls.csv"
          texts={t.calls}
        />
      }
    />
  );
}

interface CallEvent {
  call_id: number;
  status?: Call['status'];
  answered_by?: Call['answered_by'];
  duration?: number;
  total_cost?: number;
}

/**
 * Keeps the shown rows up to date, where they stand. New calls wait behind a bar: nothing moves under the mouse.
 */
function NewCalls({ rows = [], isNewestShown }: { rows: Call[] | undefined; isNewestShown: boolean }) {
  const client = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  const newest = rows.reduce((max, { id }) => Math.max(max, id), 0);
  useEventBatches(
    '/user/calls/events',
    (events) => {
      // What has changed between the reading of the list and now.
      if (events.some(({ name }) => name === 'position')) {
        void client.invalidateQueries({ queryKey: ['get', '/user/calls'] });
      }
      const changes = changesOf(events);
      const begun = [...changes.keys()].filter((id) => id > newest);
      if (begun.length > 0) setFresh((known) => new Set([...known, ...begun]));
      if (!rows.some(({ id }) => changes.has(id))) return;
      client.setQueriesData(
        { queryKey: ['get', '/user/calls'] },
        (list: { data: Call[] } | undefined) =>
          list && { ...list, data: list.data.map((row) => withChanges(row, changes.get(row.id))) },
      );
    },
    { isFromNow: true },
  );
  const unseen = [...fresh].filter((id) => id > newest).length;
  if (unseen === 0 || !isNewestShown || newest === 0) return null;
  return (
    <Alert py={6} mb="xs" color="indigo" role="status">
      <Group gap="sm">
        {t.calls.newCalls(unseen)}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void client.invalidateQueries({ queryKey: ['get', '/user/calls'] })}
        >
          {t.calls.show}
        </Button>
      </Group>
    </Alert>
  );
}

/** By call: a later event replaces what an earlier one told. */
function changesOf(events: StreamEvent[]): Map<number, Partial<Call>> {
  const changes = new Map<number, Partial<Call>>();
  for (const { name, data } of events) {
    if (name !== 'status' && name !== 'ended') continue;
    const { call_id: id, created_at: _at, ...change } = data as CallEvent & { created_at: string };
    changes.set(id, { ...changes.get(id), ...change });
  }
  return changes;
}

/** The same row where nothing has changed: it is not drawn again. */
const withChanges = (row: Call, change: Partial<Call> | undefined): Call =>
  change ? { ...row, ...change } : row;
