import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { settingOf } from '../settings';
import { Help } from './help';

export type AssistantForm = UseFormReturnType<AssistantValues>;
type Name = keyof AssistantValues;
type Choice = { value: string; label: string; disabled?: boolean };

const texts = t.assistants;

/** Above it a text has several lines. */
const ONE_LINE_CHARACTERS = 300;

/** Label, help and limits of a setting. */
export const fieldProps = (form: AssistantForm, name: Name) => ({
  label: texts.labels[name],
  description: <Help name={name} mode={form.getValues().mode} />,
  withAsterisk: settingOf(name).isRequired,
});

/** The input of a setting, by its type in the API. */
export function SettingField({ form, name }: { form: AssistantForm; name: Name }) {
  const value = form.getValues()[name];
  const { values, minimum, maximum, maxLength, isClearable } = settingOf(name);
  const { label, description, withAsterisk } = fieldProps(form, name);
  const props = { label, description, withAsterisk, ...form.getInputProps(name) };
  if (typeof value === 'boolean')
    return (
      <Switch label={label} description={description} {...form.getInputProps(name, { type: 'checkbox' })} />
    );
  if (values !== undefined) {
    const names: Record<string, Record<string, string>> = texts.options;
    const data = Object.entries(names[name] ?? {}).map(([option, text]) => ({ value: option, label: text }));
    return <Select {...props} data={data} allowDeselect={false} styles={{ wrapper: { maxWidth: 320 } }} />;
  }
  if (minimum !== undefined && maximum !== undefined) {
    const isWhole = !DECIMALS.has(name);
    return (
      <NumberInput
        {...props}
        onChange={(next) => form.setFieldValue(name, next === '' ? null : Number(next))}
        value={value === null ? '' : Number(value)}
        min={minimum}
        max={maximum}
        step={isWhole ? 1 : 0.1}
        allowDecimal={!isWhole}
        clampBehavior="none"
        suffix={SECONDS.has(name) ? texts.seconds : ''}
        placeholder={isClearable ? texts.limits.unset : undefined}
        styles={{ wrapper: { maxWidth: 200 } }}
      />
    );
  }
  const text = {
    ...props,
    value: String(value ?? ''),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      form.setFieldValue(name, currentTarget.value === '' && isClearable ? null : currentTarget.value),
    maxLength,
  };
  return (maxLength ?? 0) > ONE_LINE_CHARACTERS && !name.endsWith('_url') ? (
    <Textarea {...text} autosize minRows={2} />
  ) : (
    <TextInput {...text} />
  );
}

const DECIMALS = new Set<Name>([
  'llm_temperature',
  'speech_speed',
  'voice_stability',
  'voice_similarity',
  'ambient_sound_volume',
  'endpoint_sensitivity',
  'interrupt_sensitivity',
]);

const SECONDS = new Set<Name>([
  'endpoint_sensitivity',
  'interrupt_sensitivity',
  'reengagement_interval',
  'ringing_time',
  'max_duration',
  'max_silence_duration',
  'max_initial_silence_duration',
]);

/** A choice among things with a number: null is none. */
export function IdSelect({
  form,
  name,
  data,
  clearable = false,
  onChosen,
}: {
  form: AssistantForm;
  name: Name;
  data: Choice[] | undefined;
  clearable?: boolean;
  /** Called with what is chosen, once it is the value. */
  onChosen?: (id: number | null) => void;
}) {
  const value = form.getValues()[name];
  const known = data ?? [];
  const current = value === null ? null : String(value);
  // What is stored is shown even while the list is read.
  const all =
    current === null || known.some((one) => one.value === current)
      ? known
      : [...known, { value: current, label: data ? current : '…' }];
  return (
    <Select
      {...fieldProps(form, name)}
      error={form.errors[name]}
      data={all}
      value={current}
      onChange={(next) => {
        const id = next === null ? null : Number(next);
        form.setFieldValue(name, id);
        onChosen?.(id);
      }}
      allowDeselect={false}
      clearable={clearable}
      searchable
      styles={{ wrapper: { maxWidth: 420 } }}
    />
  );
}

export const choicesOf = (of: { id: number; name: string }[] | undefined): Choice[] | undefined =>
  of?.map(({ id, name }) => ({ value: String(id), label: name }));

/** Of a list of rows. */
export const listProps = (form: AssistantForm, name: keyof AssistantValues) => {
  const { label, description } = fieldProps(form, name);
  return { label, description, error: form.errors[name] };
};

/** Takes a line of its own where there is no room. */
export const GROW = { flex: '1 1 140px', minWidth: 0 };
