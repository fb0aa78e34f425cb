import { Group, Text, Title } from '@mantine/core';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DataTable } from '#console/components/list-page';
import { callColumns } from '#console/pages/calls/call-columns';
import { t } from '#console/texts';
import type { Lead } from './lead-words';

const SHOWN = 25;

const COLUMNS = callColumns('number', 'status', 'answeredBy', 'duration', 'cost', 'started');

/** The latest calls of a lead. */
export function LeadCalls({ lead }: { lead: Lead }) {
  const query = $api.useQuery('get', '/user/calls', {
    params: { query: { lead_id: lead.id, per_page: SHOWN } },
  });
  const calls = query.data?.data;
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5">
          {t.leads.calls}
        </Title>
        {(query.data?.total ?? 0) > SHOWN && (
          <LinkAnchor to="/calls" search={{ lead_id: String(lead.id) }} size="sm">
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
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowsWhileLoading={3}
        />
      )}
    </section>
  );
}
