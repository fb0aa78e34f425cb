import { Button, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { CopyIcon } from '#console/components/copy-icon';
import { ErrorNote } from '#console/components/error-note';
import { Moment } from '#console/components/moment';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { t } from '#console/texts';

export default function SigningSecret({ close }: { close: () => void }) {
  const [isShown, setShown] = useState(false);
  const texts = t.webhooks.secret;
  const { data, error, refetch } = $api.useQuery('get', '/user/webhook-secret', undefined, {
    enabled: isShown,
    gcTime: 0,
  });
  const rotate = $api.useMutation('post', '/user/webhook-secret/rotate', {
    onSuccess: async () => {
      notifyDone(texts.rotated);
      if (isShown) await refetch();
      setShown(true);
    },
    onError: (problem) => notifyFailed(texts.rotateFailed, problem),
  });
  const askAndRotate = async (): Promise<void> => {
    if (await confirm({ ...texts.question, isDangerous: true })) rotate.mutate({});
  };
  return (
    <Modal opened onClose={close} title={texts.title} size="lg">
      <Stack>
        <Text size="sm">{texts.text}</Text>
        {error ? (
          <ErrorNote error={error} retry={refetch} />
        ) : isShown && data ? (
          <div>
            <Group gap="xs" wrap="nowrap">
              <Code aria-label={texts.label} style={{ overflowWrap: 'anywhere' }}>
                {data.data.secret}
              </Code>
              <CopyIcon value={data.data.secret} label={texts.copy} />
            </Group>
            <Text size="sm" c="dimmed" mt={4} component="div">
              {texts.since} <Moment at={data.data.created_at} />
              {data.data.previous_signs_until !== null && (
                <>
                  {'. '}
                  {texts.previous} <Moment at={data.data.previous_signs_until} />
                </>
              )}
            </Text>
          </div>
        ) : isShown ? (
          <Skeleton h={44} />
        ) : null}
        <Group justify="space-between">
          <Button variant="default" onClick={() => setShown(!isShown)}>
            {isShown ? texts.hide : texts.show}
          </Button>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            loading={rotate.isPending}
            onClick={askAndRotate}
          >
            {texts.rotate}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
