import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { t } from '#console/texts';

interface RowListProps<T> {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  rows: T[];
  change: (rows: T[]) => void;
  /** What a new row begins with. */
  empty: T;
  titleOf: (row: T, index: number) => string;
  /** The inputs of a row. */
  children: (row: T, set: (changes: Partial<T>) => void, index: number) => ReactNode;
}

/** A field whose value is a list of objects. */
export function RowList<T extends object>({
  label,
  description,
  error,
  rows,
  change,
  empty,
  titleOf,
  children,
}: RowListProps<T>) {
  const id = useId();
  const set = (index: number, changes: Partial<T>): void =>
    change(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  return (
    <Input.Wrapper label={label} description={description} error={error} id={id} labelElement="div">
      <Stack gap={6} mt={6} role="group" aria-label={label}>
        {rows.map((row, index) => (
          // Rows have no other identity than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap={6} align="flex-start" wrap="nowrap">
            <Group gap={6} align="flex-start" flex={1}>
              {children(row, (changes) => set(index, changes), index)}
            </Group>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              onClick={() => change(rows.filter((_, at) => at !== index))}
              aria-label={t.form.removeRow(titleOf(row, index))}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<Plus size={14} />}
          onClick={() => change([...rows, empty])}
        >
          {t.form.addRow}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
