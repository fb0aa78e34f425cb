import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Empty {
  title: string;
  /** What the next step does. */
  text: string;
  /** The button that makes it. */
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: Empty) {
  return (
    <Stack align="center" gap="xs" py={48} ta="center">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" maw={460}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
