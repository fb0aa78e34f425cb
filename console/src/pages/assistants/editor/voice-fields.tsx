import { Anchor, Group, Input, MultiSelect, Select, Text } from '@mantine/core';
import { $api } from '#console/api/client';
import { t } from '#console/texts';
import { useCatalogue } from '../use-catalogue';
import { choicesOf, fieldProps, IdSelect, SettingField, type AssistantForm } from './setting-field';

const texts = t.assistants;
const MOST_FALLBACK_VOICES = 5;

/** Voices that speak the language, in the engine's own mode, each with its sample. */
export function VoiceField({ form }: { form: AssistantForm }) {
  const { mode, language_id, voice_id } = form.getValues();
  const { data: voices } = $api.useQuery('get', '/user/assistants/voices', {
    params: { query: { mode, language_id } },
  });
  const choices = voices?.map((voice) => ({
    value: String(voice.id),
    label: `${voice.name} (${texts.voice.describe(voice.gender, voice.accent)})`,
  }));
  const chosen = voices?.find(({ id }) => id === voice_id);
  return (
    <div>
      <IdSelect form={form} name="voice_id" data={choices} />
      {chosen && (
        <Text size="sm" c="dimmed" mt={4}>
          {chosen.preview_url === null ? (
            texts.voice.noSample
          ) : (
            <Anchor href={chosen.preview_url} target="_blank" rel="noreferrer" size="sm">
              {texts.voice.sample}
            </Anchor>
          )}
        </Text>
      )}
    </div>
  );
}

export function ModelFields({ form }: { form: AssistantForm }) {
  const { textModels, models } = useCatalogue();
  const { mode, llm_fallback_model } = form.getValues();
  return (
    <>
      <IdSelect
        form={form}
        name="llm_model_id"
        data={choicesOf(mode === 'multimodal' ? models : textModels)}
      />
      <Select
        {...fieldProps(form, 'llm_fallback_model')}
        error={form.errors['llm_fallback_model']}
        data={(textModels ?? []).map(({ name }) => name)}
        value={llm_fallback_model}
        onChange={(next) => form.setFieldValue('llm_fallback_model', next)}
        clearable
        searchable
        styles={{ wrapper: { maxWidth: 420 } }}
      />
    </>
  );
}

export function LanguageField({ form }: { form: AssistantForm }) {
  const { languages } = useCatalogue();
  return <IdSelect form={form} name="language_id" data={choicesOf(languages)} />;
}

export function ProviderFields({ form }: { form: AssistantForm }) {
  const { language_id } = form.getValues();
  const query = { params: { query: { language_id } } };
  const { data: speakers } = $api.useQuery('get', '/user/assistants/synthesizer-providers', query);
  const { data: writers } = $api.useQuery('get', '/user/assistants/transcriber-providers', query);
  const choices = (of: typeof speakers) =>
    of?.map(({ id, name, code }) => ({ value: String(id), label: `${name} ${code}` }));
  return (
    <>
      <IdSelect form={form} name="synthesizer_provider_id" data={choices(speakers)} clearable />
      <IdSelect form={form} name="transcriber_provider_id" data={choices(writers)} clearable />
      <FallbackVoices form={form} />
    </>
  );
}

/** Of all providers, in the order in which they are chosen. */
function FallbackVoices({ form }: { form: AssistantForm }) {
  const { language_id, fallback_voice_ids } = form.getValues();
  const { data: voices } = $api.useQuery('get', '/user/assistants/voices', {
    params: { query: { mode: 'pipeline', language_id } },
  });
  return (
    <MultiSelect
      {...fieldProps(form, 'fallback_voice_ids')}
      error={form.errors['fallback_voice_ids']}
      data={(voices ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={fallback_voice_ids.map(String)}
      onChange={(ids) => form.setFieldValue('fallback_voice_ids', ids.map(Number))}
      maxValues={MOST_FALLBACK_VOICES}
      clearable
      searchable
      styles={{ wrapper: { maxWidth: 420 } }}
    />
  );
}

/** A zone by its name: all that the browser knows. */
export function TimezoneField({ form }: { form: AssistantForm }) {
  return (
    <Select
      {...fieldProps(form, 'timezone')}
      {...form.getInputProps('timezone')}
      data={zonesWith(form.getValues().timezone)}
      allowDeselect={false}
      searchable
      limit={50}
      styles={{ wrapper: { maxWidth: 320 } }}
    />
  );
}

const ZONES = Intl.supportedValuesOf('timeZone');
const zonesWith = (zone: string): string[] =>
  ZONES.includes(zone) || zone === '' ? ZONES : [zone, ...ZONES];

export function NumberField({ form }: { form: AssistantForm }) {
  const { type } = form.getValues();
  const { data: numbers } = $api.useQuery('get', '/user/assistants/phone-numbers', {
    params: { query: { type } },
  });
  const stored = form.getInitialValues().phone_number_id;
  return (
    <IdSelect
      form={form}
      name="phone_number_id"
      clearable
      data={numbers?.map(({ id, phone_number, is_available }) => ({
        value: String(id),
        label: is_available || id === stored ? phone_number : texts.takenNumber(phone_number),
        disabled: !is_available && id !== stored,
      }))}
    />
  );
}

/** Instead of a field whose value is an object: its only key. */
export function EndCallField({ form }: { form: AssistantForm }) {
  const value = form.getValues().end_call_tool;
  const { label, description } = fieldProps(form, 'end_call_tool');
  return (
    <Input.Wrapper label={label} description={description}>
      <Group mt={6}>
        <Input
          flex={1}
          aria-label={texts.endCall}
          placeholder={texts.endCall}
          value={value?.description ?? ''}
          maxLength={500}
          onChange={({ currentTarget }) =>
            form.setFieldValue(
              'end_call_tool',
              currentTarget.value === '' ? null : { description: currentTarget.value },
            )
          }
        />
      </Group>
    </Input.Wrapper>
  );
}

export const Fields = ({
  form,
  names,
}: {
  form: AssistantForm;
  names: Parameters<typeof SettingField>[0]['name'][];
}) => names.map((name) => <SettingField key={name} form={form} name={name} />);
