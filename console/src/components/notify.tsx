import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '#console/api/api-error';
import { queryClient } from '#console/api/query-client';
import { t } from '#console/texts';

const LONG_MS = 10_000;

/** @param undo takes back what was done; throws `ApiError` */
export function notifyDone(message: string, undo?: () => Promise<unknown>): void {
  if (!undo) {
    notifications.show({ message, color: 'teal' });
    return;
  }
  const id = notifications.show({
    color: 'teal',
    autoClose: LONG_MS,
    message: (
      <Group justify="space-between" gap="xs">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void takeBack(undo);
          }}
        >
          {t.undo.action}
        </Button>
      </Group>
    ),
  });
}

async function takeBack(undo: () => Promise<unknown>): Promise<void> {
  try {
    await undo();
    notifyDone(t.undo.done);
    await queryClient.invalidateQueries();
  } catch (error) {
    notifyFailed(t.undo.failed, error);
  }
}

export const notifyFailed = (title: string, error: unknown): void =>
  void notifications.show({ title, message: messageOf(error), color: 'red', autoClose: LONG_MS });
