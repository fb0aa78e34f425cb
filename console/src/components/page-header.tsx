import { Breadcrumbs, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#console/texts';

export interface PageHeaderProps {
  title: string;
  /** One sentence: the page's answer. */
  text?: ReactNode;
  /** Links to the pages above this one. */
  above?: ReactNode[];
  actions?: ReactNode;
}

/** The page's only `h1`, and its title in the browser. */
export function PageHeader({ title, text, above = [], actions }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="xs">
      <title>{`${title} · ${t.product}`}</title>
      <div style={{ minWidth: 0, flex: '1 1 260px' }}>
        {above.length > 0 && (
          <Breadcrumbs fz="sm" mb={2}>
            {above}
          </Breadcrumbs>
        )}
        <Title order={1}>{title}</Title>
        {text !== undefined && (
          <Text c="dimmed" component="div">
            {text}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
