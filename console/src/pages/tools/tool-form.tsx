import { Checkbox, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schemas } from '#console/api/client';
import { RowList } from '#console/components/row-list';
import { optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';

const texts = t.tools.fields;

export type Tool = Schemas['ToolResponse'];
export type ToolValues = Pick<
  Tool,
  'name' | 'description' | 'method' | 'endpoint' | 'timeout' | 'headers' | 'schema'
>;

export const NEW_TOOL: ToolValues = {
  name: '',
  description: '',
  method: 'GET',
  endpoint: '',
  timeout: 10,
  headers: [],
  schema: [],
};

export const valuesOf = ({
  name,
  description,
  method,
  endpoint,
  timeout,
  headers,
  schema,
}: Tool): ToolValues => ({
  name,
  description,
  method,
  endpoint,
  timeout,
  headers,
  schema,
});

const METHODS: Tool['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const NO_PARAMETER: ToolValues['schema'][number] = { name: '', type: 'string', description: '' };
/** Takes a line of its own where there is no room. */
const GROW = { flex: '1 1 140px', minWidth: 0 };

export function ToolFields({ form }: { form: UseFormReturnType<ToolValues> }) {
  const values = form.getValues();
  const types = optionsOf(texts.types);
  return (
    <Stack>
      <TextInput
        {...form.getInputProps('name')}
        label={texts.name}
        description={texts.nameHelp}
        withAsterisk
        maxLength={64}
        placeholder="check_order"
      />
      <Textarea
        {...form.getInputProps('description')}
        label={texts.description}
        withAsterisk
        autosize
        minRows={2}
        maxLength={255}
      />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <Select
          {...form.getInputProps('method')}
          label={texts.method}
          data={METHODS}
          allowDeselect={false}
          w={110}
          style={{ flexShrink: 0 }}
        />
        <TextInput
          {...form.getInputProps('endpoint')}
          label={texts.endpoint}
          description={texts.endpointHelp}
          withAsterisk
          type="url"
          maxLength={2048}
          placeholder="https://example.com/orders/{order_number}"
          style={GROW}
        />
      </Group>
      <RowList
        label={texts.parameters}
        description={texts.parametersHelp}
        error={form.errors['schema']}
        rows={values.schema}
        change={(rows) => form.setFieldValue('schema', rows)}
        empty={NO_PARAMETER}
        titleOf={({ name }, index) => name || String(index + 1)}
      >
        {(row, set, index) => (
          <>
            <TextInput
              size="xs"
              w={150}
              aria-label={texts.parameterName}
              placeholder={texts.parameterName}
              value={row.name}
              error={form.errors[`schema.${index}.name`]}
              onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              maxLength={32}
            />
            <Select
              size="xs"
              w={110}
              aria-label={texts.parameterType}
              data={types}
              value={row.type}
              allowDeselect={false}
              onChange={(type) => set({ type: type as typeof row.type })}
            />
            <TextInput
              size="xs"
              style={GROW}
              aria-label={texts.parameterDescription}
              placeholder={texts.parameterDescription}
              value={row.description}
              error={form.errors[`schema.${index}.description`]}
              onChange={({ currentTarget }) => set({ description: currentTarget.value })}
              maxLength={255}
            />
          </>
        )}
      </RowList>
      <RowList
        label={texts.headers}
        description={texts.headersHelp}
        error={form.errors['headers']}
        rows={values.headers}
        change={(rows) => form.setFieldValue('headers', rows)}
        empty={{ name: '', value: '' }}
        titleOf={({ name }, index) => name || String(index + 1)}
      >
        {(row, set, index) => (
          <>
            {(['name', 'value'] as const).map((field) => (
              <TextInput
                key={field}
                size="xs"
                style={GROW}
                aria-label={field === 'name' ? texts.headerName : texts.headerValue}
                placeholder={field === 'name' ? texts.headerName : texts.headerValue}
                value={row[field]}
                error={form.errors[`headers.${index}.${field}`]}
                onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
                autoComplete="off"
                maxLength={field === 'name' ? 255 : 2048}
              />
            ))}
            <Checkbox
              size="xs"
              mt={6}
              label={texts.headerSecret}
              checked={row.secret ?? false}
              onChange={({ currentTarget }) => set({ secret: currentTarget.checked })}
            />
          </>
        )}
      </RowList>
      <NumberInput
        {...form.getInputProps('timeout')}
        label={texts.timeout}
        min={1}
        max={30}
        clampBehavior="none"
        allowDecimal={false}
        maw={200}
      />
    </Stack>
  );
}
