import { Box, Spoiler, Table, Text } from '@mantine/core';
import { changedFields } from '#console/components/api-form';
import { formatCount } from '#console/formats/numbers';
import { rulesText } from '#console/pages/retention/rules-text';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import type { AssistantForm } from './setting-field';

const { changes: texts, labels, on, off } = t.assistants;

/** What saving changes: each setting as it is stored, and as it will be. */
export function Changes({ form, nameOf }: { form: AssistantForm; nameOf: NameOf }) {
  const stored = form.getInitialValues();
  const changed = Object.keys(changedFields(form.getValues(), stored)) as (keyof AssistantValues)[];
  if (changed.length === 0) return null;
  return (
    <Box component="section" aria-label={texts.title(changed.length)} mt="lg">
      <Text fw={600} mb={4}>
        {texts.title(changed.length)}
      </Text>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table layout="fixed" aria-label={texts.title(changed.length)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{texts.field}</Table.Th>
              <Table.Th>{texts.stored}</Table.Th>
              <Table.Th>{texts.next}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changed.map((name) => (
              <Table.Tr key={name} style={{ verticalAlign: 'top' }}>
                <Table.Td>{labels[name]}</Table.Td>
                <Table.Td>
                  <Value
                    label={`${labels[name]}: ${texts.stored}`}
                    text={textOf(name, stored[name], nameOf)}
                    isOld
                  />
                </Table.Td>
                <Table.Td>
                  <Value
                    label={`${labels[name]}: ${texts.next}`}
                    text={textOf(name, form.getValues()[name], nameOf)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}

/** The name of what a number stands for; null: the number says enough. */
export type NameOf = (name: keyof AssistantValues, value: number) => string | null;

const LONG_PX = 96;
/** A text that may be higher. */
const LONG_CHARACTERS = 100;

function Value({ label, text, isOld = false }: { label: string; text: string; isOld?: boolean }) {
  const shown = (
    <Text
      size="sm"
      c={isOld || text === '' ? 'dimmed' : undefined}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text || texts.none}
    </Text>
  );
  if (text.length <= LONG_CHARACTERS) return shown;
  return (
    <Spoiler
      maxHeight={LONG_PX}
      showLabel={texts.was(formatCount(text.length))}
      hideLabel="–"
      // Landmarks have different names.
      attributes={{ content: { 'aria-label': label } }}
    >
      {shown}
    </Spoiler>
  );
}

function textOf(name: keyof AssistantValues, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? on : off;
  if (typeof value === 'number') return nameOf(name, value) ?? String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'number'))
    return value.map((item: number) => nameOf(name, item) ?? String(item)).join(', ');
  if (typeof value === 'string') {
    const options: Record<string, Record<string, string>> = t.assistants.options;
    return options[name]?.[value] ?? value;
  }
  if (name === 'retention') return rulesText(value as NonNullable<AssistantValues['retention']>);
  return JSON.stringify(value, null, 1);
}
