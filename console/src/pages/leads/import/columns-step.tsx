import { Alert, Autocomplete, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core';
import { optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';
import { problemOf, type ColumnKind, type ColumnPlan } from './column-plan';
import type { CsvHead } from './csv-file';

interface ColumnsStepProps {
  head: CsvHead;
  plan: ColumnPlan[];
  onPlan: (plan: ColumnPlan[]) => void;
  /** Variables of the assistant's prompt. */
  used: string[];
  allowsDuplicates: boolean;
  onDuplicates: (allows: boolean) => void;
}

export function ColumnsStep({ head, plan, onPlan, used, allowsDuplicates, onDuplicates }: ColumnsStepProps) {
  const { columns, duplicates } = t.leads.importing;
  const problem = problemOf(plan);
  const change = (column: number, changes: Partial<ColumnPlan>): void =>
    onPlan(plan.map((one, index) => (index === column ? { ...one, ...changes } : one)));
  return (
    <Stack gap="md">
      <Text c="dimmed">{columns.text}</Text>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-label={t.leads.importing.steps.columns}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th fw={500} c="dimmed">
                {columns.column}
              </Table.Th>
              <Table.Th fw={500} c="dimmed">
                {columns.is}
              </Table.Th>
              <Table.Th fw={500} c="dimmed" visibleFrom="sm">
                {columns.values}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.map((one, column) => {
              const written = head.names[column] || columns.unnamed(column + 1);
              return (
                <Table.Tr key={column}>
                  <Table.Td fw={500}>{written}</Table.Td>
                  <Table.Td>
                    <Group gap="xs" wrap="wrap">
                      <Select
                        size="xs"
                        w={150}
                        allowDeselect={false}
                        aria-label={columns.isOf(written)}
                        data={optionsOf(columns.kinds)}
                        value={one.kind}
                        onChange={(kind) => change(column, { kind: kind as ColumnKind })}
                      />
                      {one.kind === 'variable' && (
                        <Autocomplete
                          size="xs"
                          w={180}
                          aria-label={columns.nameOf(written)}
                          data={used}
                          value={one.name}
                          onChange={(name) => change(column, { name })}
                        />
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td c="dimmed" visibleFrom="sm" maw={420}>
                    <Text size="sm" truncate>
                      {head.samples[column]?.filter((value) => value !== '').join(' · ') || '–'}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Checkbox
        label={duplicates}
        checked={allowsDuplicates}
        onChange={({ currentTarget }) => onDuplicates(currentTarget.checked)}
      />
      {problem !== null && (
        <Alert color="yellow" role="status">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}
