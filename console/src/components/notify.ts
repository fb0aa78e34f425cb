import { notifications } from '@mantine/notifications';
import { messageOf } from '#console/api/api-error';

export const notifyDone = (message: string): void => void notifications.show({ message, color: 'teal' });

export const notifyFailed = (title: string, error: unknown): void =>
  void notifications.show({ title, message: messageOf(error), color: 'red', autoClose: 10_000 });
