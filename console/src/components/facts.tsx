import { Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** Below the title. */
  text?: string;
  /** In place of missing children. */
  none?: string | undefined;
  children: ReactNode;
}

/** A part of a page about one thing. */
export function Section({ title, text, none, children }: SectionProps) {
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mb={6}>
          {text}
        </Text>
      )}
      {children || (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
    </section>
  );
}

/** What is known of one thing, by name. */
export type Fact = [name: string, value: ReactNode];

export function Facts({ rows }: { rows: Fact[] }) {
  return (
    <Table variant="vertical" withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th
              w={142}
              pe={8}
              fw={400}
              c="dimmed"
              bg="none"
              style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}
              scope="row"
            >
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
