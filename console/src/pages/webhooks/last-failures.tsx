import { Box, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { $api } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { t } from '#console/texts';
import { causeOf, eventOf, outcomeOf, useAssistantName, wordsOf, type Delivery } from './delivery-words';
import { ReplayButton } from './replay-button';

/** The newest deliveries that were given up, with what their receivers said. Nothing on a good day. */
export function LastFailures({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return null;
  return (
    <Box component="section" mb="lg" aria-labelledby="last-failures">
      <Title order={2} size="h4" mb={4} id="last-failures">
        {t.webhooks.failures}
      </Title>
      <Stack gap={0}>
        {deliveries.map((delivery) => (
          <Failure key={delivery.id} delivery={delivery} />
        ))}
      </Stack>
    </Box>
  );
}

function Failure({ delivery }: { delivery: Delivery }) {
  const nameOf = useAssistantName();
  const { id, assistant_id: assistantId, created_at: at } = delivery;
  const { data } = $api.useQuery('get', '/user/webhook-deliveries/{id}', { params: { path: { id } } });
  const last = data?.data.attempts.at(-1);
  return (
    <Group
      wrap="nowrap"
      justify="space-between"
      py={8}
      gap="md"
      style={{ borderTop: '1px solid var(--console-line)' }}
    >
      <div style={{ minWidth: 0, flex: 1 }}>
        <Group gap={6} fz="sm">
          <LinkAnchor to="/webhooks/$id" params={{ id: String(id) }} size="sm" fw={500}>
            {eventOf(delivery)}
          </LinkAnchor>
          <Text size="sm" c="dimmed" component="span">
            {[causeOf(delivery), nameOf(assistantId)].filter(Boolean).join(' · ')} · <Moment at={at} />
          </Text>
        </Group>
        {data ? (
          <Text size="sm" lineClamp={2} mih={20} style={{ overflowWrap: 'anywhere' }}>
            {last && <strong>{outcomeOf(last)} </strong>}
            {(last?.response_body || !last) && <Code>{wordsOf(data.data)}</Code>}
          </Text>
        ) : (
          <Skeleton h={12} my={4} w="60%" />
        )}
      </div>
      <ReplayButton delivery={delivery} />
    </Group>
  );
}
