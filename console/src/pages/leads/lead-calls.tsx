import { Group, Text, Title } from '@mantine/core';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DataTable, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { StatusBadge } from '#console/components/status-badge';
import { formatDuration } from '#console/formats/duration';
import { formatPhone } from '#console/formats/numbers';
import { toneOf, type Call } from '#console/pages/calls/call-words';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { Lead } from './lead-words';

const SHOWN = 25;

/** The latest calls of a lead's campaign to its number. */
export function LeadCalls({ lead }: { lead: Lead }) {
  const { money } = useSession();
  const { columns, statuses, answeredBy } = t.calls;
  const search = { campaign_id: String(lead.campaign_id), phone_number: lead.phone_number };
  const query = $api.useQuery('get', '/user/calls', {
    params: { query: { ...search, per_page: SHOWN } as never },
  });
  const calls = query.data?.data;
  const shown: Column<Call>[] = [
    {
      key: 'at',
      header: columns.started,
      cell: ({ id, created_at: at }) => (
        <LinkAnchor className="row-link" to="/calls/$id" params={{ id: String(id) }} c="inherit" fz="sm">
          <Moment at={at} />
        </LinkAnchor>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      cell: ({ status }) => <StatusBadge tone={toneOf(status)}>{statuses[status] ?? status}</StatusBadge>,
    },
    {
      key: 'by',
      header: columns.answeredBy,
      isSecondary: true,
      cell: ({ answered_by: by }) => (by === 'unknown' ? '–' : (answeredBy[by] ?? by)),
    },
    {
      key: 'number',
      header: columns.number,
      isSecondary: true,
      cell: (call) => formatPhone(call.client_phone_number),
    },
    {
      key: 'duration',
      header: columns.duration,
      align: 'right',
      cell: ({ duration }) => formatDuration(duration),
    },
    {
      key: 'cost',
      header: columns.cost,
      align: 'right',
      isSecondary: true,
      cell: (call) => money(call.total_cost),
    },
  ];
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5">
          {t.leads.calls}
        </Title>
        {(query.data?.total ?? 0) > SHOWN && (
          <LinkAnchor to="/calls" search={search} size="sm">
            {t.leads.allCalls}
          </LinkAnchor>
        )}
      </Group>
      {query.error && !calls ? (
        <ErrorNote error={query.error} retry={query.refetch} />
      ) : calls?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.leads.noCalls}
        </Text>
      ) : (
        <DataTable
          title={t.leads.calls}
          rows={calls}
          columns={shown}
          rowKey={({ id }) => id}
          rowsWhileLoading={3}
        />
      )}
    </section>
  );
}
