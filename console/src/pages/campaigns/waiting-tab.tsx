import { Group, List, Stack, Text, Title } from '@mantine/core';
import { LinkAnchor } from '#console/components/links';
import { DataTable, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { formatCount, formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { CampaignDetails } from './use-campaign';
import { describeGroup, groupWaits, whyWaits, type Preview, type PreviewedLead } from './waiting-words';

/** Leads that no call follows for; the preview has only those that wait. */
const OVER = ['reached-max-retries', 'blacklisted'];

export function WaitingTab({
  campaign,
  preview,
}: {
  campaign: CampaignDetails;
  preview: Preview | undefined;
}) {
  const { waiting, progress } = t.campaigns;
  const { times } = useSession();
  const columns = useColumns();
  const leads = preview?.leads;
  return (
    <Stack gap="lg">
      {leads?.length === 0 ? (
        <Text>{waiting.none}</Text>
      ) : (
        <>
          <section>
            <Title order={2} size="h4" mb={6}>
              {waiting.groups}
            </Title>
            <List size="md" mih={24}>
              {groupWaits(leads ?? []).map((group) => (
                <List.Item key={group.reason}>{describeGroup(group, times)}</List.Item>
              ))}
            </List>
          </section>
          <section>
            <Title order={2} size="h4">
              {waiting.leads}
            </Title>
            <Text size="sm" c="dimmed" mb={6}>
              {waiting.firstOf(leads?.length ?? 0)}
            </Text>
            <DataTable
              title={waiting.leads}
              rows={leads}
              columns={columns}
              rowKey={({ id }) => id}
              rowsWhileLoading={6}
            />
          </section>
        </>
      )}
      {OVER.some((status) => (campaign.stats.leads[status] ?? 0) > 0) && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {waiting.how}
          </Text>
          {OVER.filter((status) => (campaign.stats.leads[status] ?? 0) > 0).map((status) => (
            <LinkAnchor
              key={status}
              to="/leads"
              search={{ campaign_id: String(campaign.id), status }}
              size="sm"
            >
              {`${progress.states[status]} (${formatCount(campaign.stats.leads[status] ?? 0)})`}
            </LinkAnchor>
          ))}
        </Group>
      )}
    </Stack>
  );
}

function useColumns(): Column<PreviewedLead>[] {
  const { waiting } = t.campaigns;
  const { times } = useSession();
  return [
    {
      key: 'number',
      header: waiting.number,
      cell: ({ id, phone_number: phone, contact_id: contact }) => (
        <>
          <LinkAnchor className="row-link" to="/leads/$id" params={{ id: String(id) }} c="inherit" fz="sm">
            {formatPhone(phone)}
          </LinkAnchor>
          {contact !== null && <Text span size="xs" c="dimmed">{` ${waiting.contact}`}</Text>}
        </>
      ),
    },
    { key: 'why', header: waiting.why, cell: (lead) => whyWaits(lead, times) },
    {
      key: 'until',
      header: waiting.until,
      align: 'right',
      isSecondary: true,
      cell: ({ until }) => <Moment at={until} />,
    },
    {
      key: 'attempts',
      header: waiting.attempts,
      align: 'right',
      isSecondary: true,
      cell: (lead) => lead.attempts,
    },
  ];
}
