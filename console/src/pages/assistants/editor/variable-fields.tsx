import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { RowList } from '#console/components/row-list';
import { t } from '#console/texts';
import { GROW, listProps, type AssistantForm } from './setting-field';

const texts = t.assistants.lists;

type Variable = { name: string; value: string };

/** Values as they are typed: `true`, `12` and objects are JSON, everything else is text. */
export function VariableFields({ form }: { form: AssistantForm }) {
  const stored = form.getValues().variables;
  const [typed, setTyped] = useState<Variable[]>(() => rowsOf(stored));
  // The form was reset, or another one is shown.
  const rows = JSON.stringify(objectOf(typed)) === JSON.stringify(stored) ? typed : rowsOf(stored);
  return (
    <RowList
      {...listProps(form, 'variables')}
      rows={rows}
      change={(next) => {
        setTyped(next);
        form.setFieldValue('variables', objectOf(next));
      }}
      empty={{ name: '', value: '' }}
      titleOf={(row, index) => row.name || String(index + 1)}
    >
      {(row, set) => (
        <>
          <TextInput
            size="xs"
            style={GROW}
            aria-label={texts.variable}
            placeholder={texts.variableNew}
            value={row.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <TextInput
            size="xs"
            style={{ ...GROW, flexGrow: 2 }}
            aria-label={texts.value}
            placeholder={texts.value}
            value={row.value}
            onChange={({ currentTarget }) => set({ value: currentTarget.value })}
          />
        </>
      )}
    </RowList>
  );
}

const rowsOf = (variables: Record<string, unknown>): Variable[] =>
  Object.entries(variables).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));

const objectOf = (rows: Variable[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, valueOf(value)]));

function valueOf(text: string): unknown {
  if (!/^(true|false|null|-?\d+(\.\d+)?|[[{].*[\]}])$/s.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
