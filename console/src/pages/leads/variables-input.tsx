import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '#console/texts';
import { textOf } from './lead-words';

type Variables = Record<string, unknown>;

interface VariablesInputProps {
  value?: Variables;
  onChange: (value: Variables) => void;
  error?: React.ReactNode;
  /** Names that are stored: they can be emptied, not removed. */
  stored?: readonly string[];
}

const named = (rows: [string, unknown][]): Variables =>
  Object.fromEntries(rows.filter(([name]) => name !== ''));
const isSame = (one: Variables, other: Variables): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Names with values; texts stay what they were where they are not edited. */
export function VariablesInput({ value = {}, onChange, error, stored = [] }: VariablesInputProps) {
  const { form, variablesHelp } = t.leads;
  // Rows without a name are no part of the value.
  const [typed, setTyped] = useState(() => Object.entries(value));
  const rows = isSame(named(typed), value) ? typed : Object.entries(value);
  const change = (next: [string, unknown][]): void => {
    setTyped(next);
    onChange(named(next));
  };
  return (
    <Input.Wrapper
      label={form.variables}
      description={`${variablesHelp}${stored.length > 0 ? ` ${form.onlyMerged}` : ''}`}
      error={error}
      labelElement="div"
    >
      <Stack gap="xs" mt={6}>
        {rows.map(([name, content], index) => {
          const isStored = stored.includes(name) && index < stored.length;
          return (
            <Group key={index} gap="xs" wrap="nowrap">
              <TextInput
                aria-label={form.name}
                placeholder={form.name}
                value={name}
                disabled={isStored}
                w={200}
                onChange={({ currentTarget }) =>
                  change(rows.map((row, at) => (at === index ? [currentTarget.value, content] : row)))
                }
              />
              <TextInput
                aria-label={`${form.value} ${name}`}
                placeholder={form.value}
                flex={1}
                value={textOf(content)}
                onChange={({ currentTarget }) =>
                  change(rows.map((row, at) => (at === index ? [name, currentTarget.value] : row)))
                }
              />
              {!isStored && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={form.remove(name)}
                  onClick={() => change(rows.filter((_, at) => at !== index))}
                >
                  <X size={14} />
                </ActionIcon>
              )}
            </Group>
          );
        })}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Plus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change([...rows, ['', '']])}
        >
          {form.add}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
