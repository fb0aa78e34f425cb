import { Button, Group, Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { namedOptions, optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';
import { useAssistants, type Delivery } from './delivery-words';
import { isOfDeliveries } from './use-replay';

type Channel = Delivery['channel'];

const CHANNELS = optionsOf(t.webhooks.channels);

/** The assistants that have a webhook on the channel. */
function useReceivers(channel: Channel) {
  return useAssistants()?.filter((each) => {
    if (channel === 'conversation') return each.conversation_ended_webhook_url !== null;
    if (channel === 'inbound') return each.inbound_webhook_url !== null;
    return each.is_webhook_active && each.webhook_url !== null;
  });
}

export default function SendTest({ close }: { close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [channel, setChannel] = useState<Channel>('post-call');
  const [chosen, setChosen] = useState<string | null>(null);
  const receivers = useReceivers(channel);
  const assistantId = receivers?.find(({ id }) => String(id) === chosen)?.id ?? receivers?.[0]?.id;
  const texts = t.webhooks.sendTest;
  const send = $api.useMutation('post', '/user/assistants/test-webhook', {
    onSuccess: async ({ data: { id } }) => {
      void client.invalidateQueries({ predicate: isOfDeliveries });
      await navigate({ to: '/webhooks/$id', params: { id: String(id) } });
    },
  });
  return (
    <Modal opened onClose={close} title={texts.title}>
      <Stack>
        <Text size="sm">{texts.text}</Text>
        <SegmentedControl
          size="xs"
          aria-label={texts.channel}
          data={CHANNELS}
          value={channel}
          onChange={(value) => setChannel(value as Channel)}
        />
        <Select
          label={texts.assistant}
          allowDeselect={false}
          searchable
          disabled={!receivers?.length}
          data={namedOptions(receivers)}
          value={assistantId === undefined ? null : String(assistantId)}
          onChange={setChosen}
        />
        {receivers?.length === 0 && (
          <Text size="sm">
            {texts.none}{' '}
            <LinkAnchor to="/assistants" underline="always">
              {texts.toAssistants}
            </LinkAnchor>
          </Text>
        )}
        {send.error && <ErrorNote error={send.error} />}
        <Group justify="flex-end">
          <Button
            loading={send.isPending}
            disabled={assistantId === undefined}
            onClick={() => send.mutate({ body: { assistant_id: assistantId ?? 0, channel } })}
          >
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
