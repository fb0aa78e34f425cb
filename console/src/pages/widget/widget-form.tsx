import {
  ColorInput,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';

const texts = t.widget;

/** Texts that pages show; empty: those of the language. */
const WORDS = [
  'button_main_text',
  'button_sub_text',
  'header_title',
  'header_subtitle',
  'modal_title',
  'modal_description',
  'start_button_text',
] as const;
const LOOK = ['color', 'theme', 'position'] as const;
const MOST_IN_LIST = 50;

export interface WidgetSettings extends Record<(typeof WORDS)[number] | (typeof LOOK)[number], string> {
  enabled: boolean;
  allowed_origins: string[];
  visitor_variables: string[];
  show_tool_results: boolean;
  daily_budget: number | null;
}

/** In one field, as the API replaces them. */
export type WidgetValues = { widget_settings: WidgetSettings };

export function valuesOf(stored: Record<string, unknown>): WidgetValues {
  const text = (key: string): string => (typeof stored[key] === 'string' ? stored[key] : '');
  const list = (key: string): string[] => (Array.isArray(stored[key]) ? stored[key].map(String) : []);
  const shown = Object.fromEntries([...WORDS, ...LOOK].map((key) => [key, text(key)]));
  return {
    widget_settings: {
      ...(shown as Record<(typeof WORDS)[number] | (typeof LOOK)[number], string>),
      enabled: stored['enabled'] === true,
      allowed_origins: list('allowed_origins'),
      visitor_variables: list('visitor_variables'),
      show_tool_results: stored['show_tool_results'] === true,
      daily_budget: typeof stored['daily_budget'] === 'number' ? stored['daily_budget'] : null,
    },
  };
}

/** Keys that the form does not know stay; empty texts are left out. */
export function settingsOf(
  stored: Record<string, unknown>,
  { widget_settings: values }: WidgetValues,
): Record<string, unknown> {
  const all: Record<string, unknown> = { ...stored, ...values };
  for (const key of [...WORDS, ...LOOK]) if (values[key] === '') delete all[key];
  return all;
}

/** What the preview shows. */
export const shownOf = (values: WidgetSettings): Record<string, string> =>
  Object.fromEntries(
    [...WORDS, ...LOOK].filter((key) => values[key] !== '').map((key) => [key, values[key]]),
  );

export function WidgetFields({ form }: { form: UseFormReturnType<WidgetValues> }) {
  const { fields } = texts;
  const props = (name: keyof WidgetSettings) => form.getInputProps(`widget_settings.${name}`);
  const { daily_budget, theme, position } = form.getValues().widget_settings;
  return (
    <Stack>
      <Title order={2} size="h3">
        {texts.groups.access}
      </Title>
      <Switch
        {...form.getInputProps('widget_settings.enabled', { type: 'checkbox' })}
        label={fields.enabled}
        description={fields.enabledHelp}
      />
      <TagsInput
        {...props('allowed_origins')}
        label={fields.allowed_origins}
        description={fields.allowed_originsHelp}
        maxTags={MOST_IN_LIST}
        acceptValueOnBlur
      />
      <TagsInput
        {...props('visitor_variables')}
        label={fields.visitor_variables}
        description={fields.visitor_variablesHelp}
        maxTags={MOST_IN_LIST}
        acceptValueOnBlur
      />
      <Switch
        {...form.getInputProps('widget_settings.show_tool_results', { type: 'checkbox' })}
        label={fields.show_tool_results}
        description={fields.show_tool_resultsHelp}
      />
      <NumberInput
        {...props('daily_budget')}
        value={daily_budget ?? ''}
        onChange={(next) =>
          form.setFieldValue('widget_settings.daily_budget', next === '' ? null : Number(next))
        }
        label={fields.daily_budget}
        description={fields.daily_budgetHelp}
        min={0}
        clampBehavior="none"
        styles={{ wrapper: { maxWidth: 200 } }}
      />
      <Title order={2} size="h3" mt="md">
        {texts.groups.look}
      </Title>
      <Group grow align="flex-end">
        <ColorInput
          {...props('color')}
          label={fields.color}
          format="hex"
          placeholder="#2563eb"
          eyeDropperButtonProps={{ 'aria-label': fields.pickColor }}
        />
        <Select
          {...props('theme')}
          value={theme === 'dark' ? 'dark' : 'light'}
          label={fields.theme}
          data={optionsOf(texts.themes)}
          allowDeselect={false}
        />
        <Select
          {...props('position')}
          value={position === '' ? 'bottom-right' : position}
          label={fields.position}
          data={optionsOf(texts.positions)}
          allowDeselect={false}
        />
      </Group>
      <Title order={2} size="h3" mt="md">
        {texts.groups.words}
      </Title>
      {WORDS.map((name) =>
        name === 'modal_description' ? (
          <Textarea key={name} {...props(name)} label={fields[name]} autosize minRows={2} />
        ) : (
          <TextInput
            key={name}
            {...props(name)}
            label={fields[name]}
            description={name === WORDS[0] ? fields.wordsHelp : undefined}
          />
        ),
      )}
    </Stack>
  );
}
