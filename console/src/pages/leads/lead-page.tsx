import { ActionIcon, Button, Grid, Menu, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { $api, api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { whyWaits } from '#console/pages/campaigns/waiting-words';
import { LeadCalls } from './lead-calls';
import { nameOf, outcomeOf, statusOf, textOf, toneOf, type Lead } from './lead-words';
import { ScheduleDialog } from './schedule-dialog';

export function LeadPage() {
  const { id } = useParams({ from: '/shell/leads/$id' });
  const query = $api.useQuery('get', '/user/leads/{id}', { params: { path: { id: Number(id) } } });
  const lead = query.data?.data;
  const above = [
    <LinkAnchor key="leads" to="/leads" size="sm">
      {t.leads.title}
    </LinkAnchor>,
  ];
  if (query.error && !lead) {
    return (
      <>
        <PageHeader title={t.leads.title} above={above} />
        <ErrorNote error={query.error} retry={query.refetch} />
      </>
    );
  }
  if (!lead) {
    return (
      <>
        <PageHeader title="…" above={above} text={<Skeleton h={14} w={420} mt={4} />} />
        <Skeleton h={320} />
      </>
    );
  }
  const name = nameOf(lead);
  const title = name === null ? formatPhone(lead.phone_number) : `${name}, ${formatPhone(lead.phone_number)}`;
  return (
    <>
      <PageHeader
        title={title}
        above={above}
        text={<WhyText lead={lead} />}
        actions={<Actions lead={lead} />}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <LeadCalls lead={lead} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <LeadFacts lead={lead} />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** Why it is not called: the first question of whoever opens a lead. */
function WhyText({ lead }: { lead: Lead }) {
  const { times } = useSession();
  const { data } = $api.useQuery('get', '/user/campaigns/{id}/preview', {
    params: { path: { id: lead.campaign_id }, query: { lead_id: lead.id } },
  });
  const [previewed] = data?.data.leads ?? [];
  const outcome =
    lead.last_outcome === null
      ? t.leads.noCallYet
      : t.leads.wasLast(t.leads.outcomes[lead.last_outcome] ?? lead.last_outcome);
  const over = t.leads.over[lead.status];
  const why = over ?? (previewed && whyWaits(previewed, times));
  return why === undefined ? <Skeleton h={14} w={420} mt={4} /> : <Text>{`${why} ${outcome}`}</Text>;
}

function Actions({ lead }: { lead: Lead }) {
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isScheduling, scheduling] = useDisclosure();
  const { removal } = t.leads;
  const remove = async (): Promise<void> => {
    const text = removal.text(lead.secondary_contacts.length);
    if (!(await confirm({ ...removal, text, isDangerous: true }))) return;
    try {
      await api.DELETE('/user/leads/{id}', { params: { path: { id: lead.id } } });
      notifyDone(removal.done);
      await navigate({ to: '/leads' });
      await client.invalidateQueries();
    } catch (error) {
      notifyFailed(removal.failed, error);
    }
  };
  return (
    <>
      <StatusBadge tone={toneOf(lead.status)}>{statusOf(lead.status)}</StatusBadge>
      <NeedsScope scope="calls">
        {(isForbidden) => (
          <Button size="xs" variant="default" disabled={isForbidden} onClick={scheduling.open}>
            {t.leads.schedule}
          </Button>
        )}
      </NeedsScope>
      {can('write') && (
        <>
          <LinkButton size="xs" variant="default" to="/leads/$id/edit" params={{ id: String(lead.id) }}>
            {t.leads.edit}
          </LinkButton>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t.leads.more}>
                <Ellipsis size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={() => void remove()}>
                {t.leads.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      {isScheduling && <ScheduleDialog lead={lead} isOpen close={scheduling.close} />}
    </>
  );
}

function LeadFacts({ lead }: { lead: Lead }) {
  const words = t.leads;
  const facts: [string, ReactNode][] = [
    [
      words.campaign,
      <LinkAnchor key="campaign" to="/campaigns/$id" params={{ id: String(lead.campaign_id) }} size="sm">
        {lead.campaign.name}
      </LinkAnchor>,
    ],
    [words.status, statusOf(lead.status)],
    [words.lastOutcome, outcomeOf(lead.last_outcome)],
    [words.attempts, lead.attempts],
    [words.nextAttempt, <Moment key="next" at={lead.next_attempt_at} />],
    [words.created, <Moment key="created" at={lead.created_at} />],
  ];
  return (
    <Stack gap="lg">
      <Facts title={words.facts} facts={facts} />
      <Facts
        title={words.variables}
        facts={Object.entries(lead.variables).map(([name, value]) => [name, textOf(value) || '–'])}
        none={words.noVariables}
      />
      <Facts
        title={words.contacts}
        facts={lead.secondary_contacts.map((contact) => [
          formatPhone(contact.phone_number),
          `${statusOf(contact.status)}, ${outcomeOf(contact.last_outcome)}`,
        ])}
        none={words.noContacts}
      />
    </Stack>
  );
}

function Facts({ title, facts, none }: { title: string; facts: [string, ReactNode][]; none?: string }) {
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {facts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Table aria-label={title} layout="fixed" verticalSpacing={4} horizontalSpacing={0}>
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th fw={400} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
