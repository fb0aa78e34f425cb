import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { t } from '#console/texts';

interface Question {
  title: string;
  /** What it does, with the number of people and the price. */
  text: string;
  /** The verb of the button. */
  confirm: string;
  cancel?: string;
  isDangerous?: boolean;
}

/** Asks before what calls people, costs money or cannot be undone, and only then. */
export function confirm({
  title,
  text,
  confirm: verb,
  cancel,
  isDangerous = false,
}: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text>{text}</Text>,
      labels: { confirm: verb, cancel: cancel ?? t.cancel },
      confirmProps: isDangerous ? { color: 'red.9' } : {},
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
