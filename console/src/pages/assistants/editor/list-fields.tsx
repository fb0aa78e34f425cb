import { Input, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { RowList } from '#console/components/row-list';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { fieldProps, GROW, listProps, type AssistantForm } from './setting-field';

const texts = t.assistants.lists;

const NO_FIELD: AssistantValues['post_call_schema'][number] = { name: '', type: 'string', description: '' };

export function EvaluationFields({ form }: { form: AssistantForm }) {
  const name = 'post_call_schema';
  const data = Object.entries(texts.types).map(([value, label]) => ({ value, label }));
  return (
    <RowList
      {...listProps(form, name)}
      rows={form.getValues()[name]}
      change={(rows) => form.setFieldValue(name, rows)}
      empty={NO_FIELD}
      titleOf={(row, index) => row.name || String(index + 1)}
    >
      {(row, set, index) => (
        <>
          <TextInput
            size="xs"
            w={150}
            aria-label={texts.fieldName}
            placeholder={texts.fieldName}
            value={row.name}
            error={form.errors[`${name}.${index}.name`]}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <Select
            size="xs"
            w={110}
            aria-label={texts.fieldType}
            data={data}
            value={row.type}
            allowDeselect={false}
            onChange={(type) => set({ type: type as typeof row.type })}
          />
          <TextInput
            size="xs"
            style={GROW}
            aria-label={texts.fieldDescription}
            placeholder={texts.fieldDescription}
            value={row.description}
            error={form.errors[`${name}.${index}.description`]}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </>
      )}
    </RowList>
  );
}

export function TransferFields({ form }: { form: AssistantForm }) {
  const name = 'transfer_numbers';
  const inputs = [
    ['name', texts.transferName],
    ['phone_number', texts.transferNumber],
    ['description', texts.transferDescription],
  ] as const;
  return (
    <RowList
      {...listProps(form, name)}
      rows={form.getValues()[name]}
      change={(rows) => form.setFieldValue(name, rows)}
      empty={{ name: '', phone_number: '', description: '' }}
      titleOf={(row, index) => row.name || String(index + 1)}
    >
      {(row, set, index) =>
        inputs.map(([field, label]) => (
          <TextInput
            key={field}
            size="xs"
            style={GROW}
            aria-label={label}
            placeholder={label}
            value={row[field] ?? ''}
            error={form.errors[`${name}.${index}.${field}`]}
            onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
          />
        ))
      }
    </RowList>
  );
}

/** Phrases by kind of utterance. */
export function FillerFields({ form }: { form: AssistantForm }) {
  const { label, description } = fieldProps(form, 'filler_config');
  const stored = form.getValues().filler_config;
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={form.errors['filler_config']}
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {(Object.keys(texts.fillers) as (keyof typeof texts.fillers)[]).map((kind) => (
          <TagsInput
            key={kind}
            size="xs"
            label={texts.fillers[kind]}
            value={stored[kind]}
            error={form.errors[`filler_config.${kind}`]}
            onChange={(phrases) => form.setFieldValue('filler_config', { ...stored, [kind]: phrases })}
            // A phrase may have a comma.
            splitChars={[]}
            acceptValueOnBlur
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

/** What requests have declared as `tools`. */
export function BuiltInFields({ form }: { form: AssistantForm }) {
  const data = Object.entries(t.assistants.builtIn).map(([value, label]) => ({ value, label }));
  return (
    <RowList
      {...listProps(form, 'tools')}
      rows={form.getValues().tools}
      change={(rows) => form.setFieldValue('tools', rows)}
      empty={NO_TOOL}
      titleOf={({ type }) => t.assistants.builtIn[type]}
    >
      {(row, set) => (
        <>
          <Select
            size="xs"
            w={150}
            aria-label={texts.fieldType}
            data={data}
            value={row.type}
            allowDeselect={false}
            onChange={(type) => set({ type: type as typeof row.type, data: {} })}
          />
          {row.type === 'call_transfer' && (
            <TextInput
              size="xs"
              w={150}
              aria-label={texts.transferNumber}
              placeholder={texts.transferNumber}
              value={row.data.phone_number ?? ''}
              onChange={({ currentTarget }) =>
                set({ data: { ...row.data, phone_number: currentTarget.value } })
              }
            />
          )}
          {row.type !== 'dtmf_input' && (
            <TextInput
              size="xs"
              style={GROW}
              aria-label={texts.toolDescription}
              placeholder={texts.toolDescription}
              value={row.data.description ?? ''}
              onChange={({ currentTarget }) =>
                set({ data: { ...row.data, description: currentTarget.value } })
              }
            />
          )}
        </>
      )}
    </RowList>
  );
}

const NO_TOOL: AssistantValues['tools'][number] = { type: 'end_call', data: {} };
