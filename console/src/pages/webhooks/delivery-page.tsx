import { Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { CopyIcon } from '#console/components/copy-icon';
import { Facts, Section, type Fact } from '#console/components/facts';
import { FailedPage } from '#console/components/failed-page';
import { JsonView } from '#console/components/json-view';
import { LinkAnchor } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { formatLatency } from '#console/formats/duration';
import { t } from '#console/texts';
import {
  eventOf,
  outcomeOf,
  statusOf,
  toneOf,
  useAssistantName,
  type Attempt,
  type DeliveryDetail,
} from './delivery-words';
import { ReplayButton } from './replay-button';

const LOOK_MS = 3_000;

const ABOVE = [
  <LinkAnchor key="webhooks" to="/webhooks" size="sm">
    {t.webhooks.title}
  </LinkAnchor>,
];

export function DeliveryPage() {
  const { id } = useParams({ from: '/shell/webhooks/$id' });
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/user/webhook-deliveries/{id}',
    { params: { path: { id: Number(id) } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'pending' ? LOOK_MS : false) },
  );
  if (error && !data) {
    return <FailedPage title={t.webhooks.delivery.title(id)} above={ABOVE} query={{ error, refetch }} />;
  }
  const delivery = data?.data;
  return (
    <>
      <PageHeader
        title={delivery ? eventOf(delivery) : t.webhooks.delivery.title(id)}
        above={ABOVE}
        text={delivery ? <Sentence delivery={delivery} /> : <Skeleton h={14} w={320} mt={4} />}
        actions={
          delivery && (
            <>
              <StatusBadge tone={toneOf(delivery)}>{statusOf(delivery)}</StatusBadge>
              <ReplayButton delivery={delivery} size="xs" />
            </>
          )
        }
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Section title={t.webhooks.delivery.attempts}>
              {delivery ? <Attempts attempts={delivery.attempts} /> : <Skeleton h={90} />}
            </Section>
            <Section title={t.webhooks.delivery.body} text={t.webhooks.delivery.bodyHelp}>
              {delivery ? (
                <JsonView value={delivery.body} label={t.webhooks.delivery.body} />
              ) : (
                <Skeleton h={360} />
              )}
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Section title={t.webhooks.delivery.facts}>
            {delivery ? <DeliveryFacts delivery={delivery} /> : <Skeleton h={220} />}
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Sentence({ delivery }: { delivery: DeliveryDetail }) {
  const { status, attempts_count: count, reason, next_attempt_at: next } = delivery;
  const texts = t.webhooks.delivery;
  if (status === 'delivered') return texts.delivered(t.webhooks.tries(count));
  if (status === 'pending') {
    return (
      <span role="status">
        {texts.pending(count)} {count > 0 && <Moment at={next} />}
      </span>
    );
  }
  const words = status === 'dead' ? texts.dead(t.webhooks.tries(count)) : texts.cancelled;
  return reason === null ? `${words}.` : `${words}: ${reason}`;
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) return <Text size="sm">{t.webhooks.delivery.noAttempts}</Text>;
  return (
    <Stack gap="md">
      {attempts.toReversed().map((attempt) => (
        <div key={attempt.number}>
          <Group gap="xs" mb={4}>
            <Text size="sm" fw={500}>
              {t.webhooks.delivery.attempt(attempt.number)}
            </Text>
            <StatusBadge tone={isGood(attempt) ? 'good' : 'bad'}>{outcomeOf(attempt)}</StatusBadge>
            <Text size="sm" c="dimmed" component="span">
              {formatLatency(attempt.duration_ms)} · <Moment at={attempt.created_at} />
            </Text>
          </Group>
          {attempt.status_code !== null && (
            <JsonView
              value={attempt.response_body || t.webhooks.emptyAnswer}
              label={t.webhooks.delivery.answerOf(attempt.number)}
            />
          )}
        </div>
      ))}
    </Stack>
  );
}

const isGood = ({ status_code: status, error }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300 && error === null;

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const nameOf = useAssistantName();
  const texts = t.webhooks.delivery;
  const { call_id: callId, assistant_id: assistantId, next_attempt_at: next } = delivery;
  const rows: Fact[] = [
    [
      texts.call,
      delivery.test ? (
        t.webhooks.test
      ) : callId === null ? (
        '–'
      ) : (
        <LinkAnchor to="/calls/$id" params={{ id: String(callId) }} fz="sm">
          {t.webhooks.call(callId)}
        </LinkAnchor>
      ),
    ],
    [
      texts.assistant,
      <LinkAnchor key="assistant" to={`/assistants/${assistantId}` as '/assistants'} fz="sm">
        {nameOf(assistantId)}
      </LinkAnchor>,
    ],
    [texts.channel, t.webhooks.channels[delivery.channel] ?? delivery.channel],
    [texts.url, delivery.url],
    [
      texts.webhookId,
      <Group key="id" gap={4} wrap="nowrap">
        <span>{delivery.webhook_id}</span>
        <CopyIcon value={delivery.webhook_id} />
      </Group>,
    ],
    [texts.created, <Moment key="created" at={delivery.created_at} />],
    [texts.deliveredAt, <Moment key="delivered" at={delivery.delivered_at} />],
    ...(next === null ? [] : [[texts.next, <Moment key="next" at={next} />] as Fact]),
  ];
  return <Facts rows={rows} />;
}
