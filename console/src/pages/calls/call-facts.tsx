import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Facts, Section, type Fact } from '#console/components/facts';
import { LinkAnchor } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { StatusBadge } from '#console/components/status-badge';
import { formatLatency } from '#console/formats/duration';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { eventOf, statusOf, toneOf, type Delivery } from '../webhooks/delivery-words';
import { ReplayButton } from '../webhooks/replay-button';
import { isRunning, isUnreached, reasonOf, settingName, whyNotApplied, type Call } from './call-words';
import { medianOf, responsesOf } from './turn-times';
import { useDeliveries, type Turn } from './use-call';

/** What is known of the call beside its words. */
export function CallFacts({ call, turns }: { call: Call; turns: Turn[] }) {
  const { money } = useSession();
  const { sections } = t.call;
  const responses = responsesOf(turns);
  const median = medianOf(responses);
  const evaluation = Object.entries(call.evaluation);
  const variables = Object.entries(call.variables);
  const isOpen = call.total_cost === 0 && (isRunning(call) || call.status.startsWith('ended'));
  return (
    <Stack gap="lg">
      <Section
        title={sections.evaluation}
        none={isOpen ? t.call.evaluationOpen : isUnreached(call) ? t.call.unreached : t.call.noEvaluation}
      >
        {evaluation.length > 0 && <Facts rows={evaluation.map(([name, value]) => [name, wordOf(value)])} />}
      </Section>
      <Section title={sections.timing} none={t.call.noTimes}>
        {median !== null && (
          <Facts
            rows={[
              [t.call.median, `${formatLatency(median)} ${t.call.answers(responses.length)}`],
              [t.call.worst, formatLatency(Math.max(...responses))],
            ]}
          />
        )}
      </Section>
      <Section title={sections.costs} none={t.call.costOpen}>
        {!isOpen && (
          <Facts
            rows={[
              [t.call.carrierCost, money(call.carrier_cost)],
              [t.call.ownCost, money(call.total_cost - call.carrier_cost)],
              [t.call.totalCost, money(call.total_cost)],
            ]}
          />
        )}
      </Section>
      <Webhooks callId={call.id} none={isOpen ? t.call.webhooksOpen : t.call.noWebhooks} />
      {call.transfers.length > 0 && (
        <Section title={sections.transfers}>
          <Facts
            rows={call.transfers.map(({ to, status }) => [
              formatPhone(to),
              t.call.transferStatuses[status] ?? status,
            ])}
          />
        </Section>
      )}
      {call.settings_not_applied.length > 0 && (
        <Section title={sections.notApplied}>
          <Facts
            rows={call.settings_not_applied.map((name) => [settingName(name), whyNotApplied(name, call)])}
          />
        </Section>
      )}
      {call.provider_failures.length > 0 && (
        <Section title={sections.failures}>
          <Facts rows={call.provider_failures.map(({ provider, reason }) => [provider, reason])} />
        </Section>
      )}
      {variables.length > 0 && (
        <Section title={sections.variables}>
          <Facts rows={variables.map(([name, value]) => [name, wordOf(value)])} />
        </Section>
      )}
      <Section title={sections.details}>
        <Facts
          rows={[
            [t.call.detail.id, String(call.id)],
            [
              t.calls.columns.assistant,
              <LinkAnchor key="to" to={`/assistants/${call.assistant_id}` as '/assistants'} size="sm">
                {call.assistant_name}
              </LinkAnchor>,
            ],
            ...(call.campaign_id === null
              ? []
              : [
                  [
                    t.calls.columns.campaign,
                    <LinkAnchor key="to" to={`/campaigns/${call.campaign_id}` as '/campaigns'} size="sm">
                      {call.campaign_name}
                    </LinkAnchor>,
                  ] as Fact,
                ]),
            [t.call.detail.type, t.calls.types[call.type]],
            [t.call.detail.from, formatPhone(call.assistant_phone_number)],
            [t.call.detail.started, <Moment key="at" at={call.created_at} />],
            ...(call.ended_reason === null
              ? []
              : [[t.call.detail.reason, reasonOf(call.ended_reason)] as Fact]),
          ]}
        />
      </Section>
    </Stack>
  );
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t.call.yes : t.call.no;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Webhooks({ callId, none }: { callId: number; none: string }) {
  const { data, isPending } = useDeliveries(callId);
  const deliveries = data?.data ?? [];
  return (
    <Section title={t.call.sections.webhooks} none={none}>
      {isPending ? (
        <Skeleton h={24} />
      ) : (
        deliveries.length > 0 && (
          <Stack gap={6}>
            {deliveries.map((delivery) => (
              <OneDelivery key={delivery.id} delivery={delivery} />
            ))}
          </Stack>
        )
      )}
    </Section>
  );
}

function OneDelivery({ delivery }: { delivery: Delivery }) {
  const { id, reason, attempts_count: tries } = delivery;
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <LinkAnchor to="/webhooks/$id" params={{ id: String(id) }} size="sm">
            {eventOf(delivery)}
          </LinkAnchor>
          <StatusBadge tone={toneOf(delivery)}>{statusOf(delivery)}</StatusBadge>
        </Group>
        <Text size="xs" c="dimmed">
          {t.webhooks.tries(tries)}
          {reason !== null && ` · ${reason}`}
        </Text>
      </div>
      <ReplayButton delivery={delivery} />
    </Group>
  );
}
