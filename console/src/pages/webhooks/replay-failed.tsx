import '@mantine/dates/styles.css';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { notifyDone } from '#console/components/notify';
import { ErrorNote } from '#console/components/error-note';
import { formatCount } from '#console/formats/numbers';
import { clockOf, instantOf } from '#console/formats/zoned';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { isOfDeliveries } from './use-replay';

const DAY_MS = 86_400_000;

export default function ReplayFailed({ close }: { close: () => void }) {
  const client = useQueryClient();
  const { zone } = useSession().times;
  const [since, setSince] = useState<string | null>(() => clockOf(new Date(Date.now() - DAY_MS), zone));
  const texts = t.webhooks.replayAll;
  const replay = $api.useMutation('post', '/user/webhook-deliveries/replay', {
    onSuccess: ({ data: { replayed } }) => {
      notifyDone(texts.done(replayed, formatCount(replayed)));
      void client.invalidateQueries({ predicate: isOfDeliveries });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={texts.title}>
      <Stack>
        <Text size="sm">{texts.text}</Text>
        <DateTimePicker
          data-autofocus
          label={texts.since}
          description={texts.zone(zone)}
          valueFormat="D MMM YYYY, HH:mm"
          value={since}
          onChange={setSince}
        />
        {replay.error && <ErrorNote error={replay.error} />}
        <Group justify="flex-end">
          <Button
            loading={replay.isPending}
            disabled={since === null}
            onClick={() => replay.mutate({ body: { since: instantOf(since ?? '', zone) } })}
          >
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
