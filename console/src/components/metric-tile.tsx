import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface MetricTileProps {
  label: string;
  /** Undefined while it is read: its place is kept. */
  value: ReactNode | undefined;
  /** What it is compared with, or made of. */
  note?: ReactNode;
}

export function MetricTile({ label, value, note }: MetricTileProps) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton h={28} w={90} my={3} />
      ) : (
        <Text fz={24} lh="34px" fw={600}>
          {value}
        </Text>
      )}
      <Text size="xs" c="dimmed" mih={18}>
        {note}
      </Text>
    </div>
  );
}
