import { ActionIcon, Button, Grid, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { $api, api } from '#console/api/client';
import { Facts, Section, type Fact } from '#console/components/facts';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { useRemoval } from '#console/components/use-removal';
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
    return <FailedPage title={t.leads.title} above={above} query={query} />;
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
  const outcome = lead.last_outcome === null ? t.leads.noCallYet : wordsOf(lead.last_outcome);
  const over = t.leads.over[lead.status];
  const why = over ?? (previewed && whyWaits(previewed, times));
  if (why === undefined) return <Skeleton h={14} w={420} mt={4} />;
  const isSuppressed = lead.last_outcome === 'suppressed' || previewed?.reason === 'suppressed';
  return (
    <Text>
      {`${why} ${outcome}`}
      {isSuppressed && (
        <>
          {' '}
          <LinkAnchor
            to="/suppressions"
            search={{ phone_number: lead.phone_number } as never}
            inherit
            underline="always"
          >
            {t.leads.toSuppressions}
          </LinkAnchor>
        </>
      )}
    </Text>
  );
}

/** Outcomes of leads that nobody has called. */
const WITHOUT_CALL = ['no_timezone', 'number_limit', 'suppressed', 'destination_not_allowed'];

const wordsOf = (outcome: string): string =>
  (WITHOUT_CALL.includes(outcome) ? t.leads.wasNotCalled : t.leads.wasLast)(outcomeOf(outcome));

function Actions({ lead }: { lead: Lead }) {
  const { can } = useSession();
  const removal = useRemoval();
  const [isScheduling, scheduling] = useDisclosure();
  const words = t.leads.removal;
  const remove = (): Promise<void> =>
    removal({
      question: { ...words, text: words.text(lead.secondary_contacts.length) },
      remove: () => api.DELETE('/user/leads/{id}', { params: { path: { id: lead.id } } }),
      done: words.done,
      failed: words.failed,
      list: '/leads',
    });
  return (
    <>
      <StatusBadge tone={toneOf(lead.status)}>{statusOf(lead.status)}</StatusBadge>
      <NeedsScope scope="calls">
        {(refusal) => (
          <Button size="xs" variant="default" onClick={scheduling.open} {...refusal}>
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
              <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove()}>
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
  const facts: Fact[] = [
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
  const variables = Object.entries(lead.variables).map(([name, value]): Fact => [name, textOf(value) || '–']);
  const contacts = lead.secondary_contacts.map((contact): Fact => [
    formatPhone(contact.phone_number),
    `${statusOf(contact.status)}, ${outcomeOf(contact.last_outcome)}`,
  ]);
  return (
    <Stack gap="lg">
      <Section title={words.facts}>
        <Facts rows={facts} />
      </Section>
      <Section title={words.variables} none={words.noVariables}>
        {variables.length > 0 && <Facts rows={variables} />}
      </Section>
      <Section title={words.contacts} none={words.noContacts}>
        {contacts.length > 0 && <Facts rows={contacts} />}
      </Section>
    </Stack>
  );
}
