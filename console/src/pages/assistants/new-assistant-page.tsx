import { Select, Skeleton, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { UseFormReturnType } from '@mantine/form';
import { api, type Schemas } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { optionsOf } from '#console/components/search-filters';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { browserZone } from '#console/formats/time';
import { NAMES_IN_ERRORS } from './assistant-values';
import { Help } from './editor/help';
import { PromptField } from './editor/prompt-field';
import { useCatalogue } from './use-catalogue';

const texts = t.assistants;

/** What every assistant needs; all else has defaults. */
type NewAssistant = {
  name: string;
  type: 'inbound' | 'outbound';
  language_id: string;
  voice_id: string;
  llm_model_id: string;
  initial_message: string;
  system_prompt: string;
};

export function NewAssistantPage() {
  const { can, facts } = useSession();
  const navigate = useNavigate();
  const { languages, voices, textModels } = useCatalogue();
  const isLoaded = languages !== undefined && voices !== undefined && textModels !== undefined;
  const save = async (values: Partial<NewAssistant>) => {
    const body = {
      ...values,
      mode: 'pipeline',
      timezone: facts.time_zone ?? browserZone(),
      language_id: Number(values.language_id),
      voice_id: Number(values.voice_id),
      llm_model_id: Number(values.llm_model_id),
    } as unknown as Schemas['CreateAssistantDto'];
    const { data } = await api.POST('/user/assistant', { body });
    void queryClient.invalidateQueries();
    return data?.data;
  };
  return (
    <>
      <PageHeader
        title={texts.new.title}
        text={texts.new.text}
        above={[
          <LinkAnchor key="list" to="/assistants">
            {texts.title}
          </LinkAnchor>,
        ]}
      />
      {isLoaded ? (
        <Stack maw={720}>
          <ApiForm<NewAssistant>
            isNew
            otherNames={NAMES_IN_ERRORS}
            submit={texts.new.submit}
            initialValues={{
              name: '',
              type: 'outbound',
              language_id: String(languages[0]?.id ?? ''),
              voice_id: String(voices[0]?.id ?? ''),
              llm_model_id: String(textModels[0]?.id ?? ''),
              initial_message: texts.new.greeting,
              system_prompt: texts.new.prompt,
            }}
            save={save}
            forbidden={can('write') ? null : t.needsScope('write')}
            onSaved={(result) => {
              const { id, name } = result as Schemas['AssistantSummaryResponse'];
              notifyDone(texts.new.created(name));
              void navigate({ to: '/assistants/$id', params: { id: String(id) } });
            }}
          >
            {(form) => <NewFields form={form} />}
          </ApiForm>
        </Stack>
      ) : (
        <Stack maw={720}>
          {Array.from({ length: 5 }, (_, n) => (
            <Skeleton key={n} h={56} />
          ))}
        </Stack>
      )}
    </>
  );
}

function NewFields({ form }: { form: UseFormReturnType<NewAssistant> }) {
  const { languages, voices, textModels } = useCatalogue();
  const { language_id, initial_message, system_prompt } = form.getValues();
  const choices = (of: { id: number; name: string }[] = []) =>
    of.map(({ id, name }) => ({ value: String(id), label: name }));
  const speaking = voices?.filter(
    ({ mode, language_id: one }) => mode === 'pipeline' && (one === null || String(one) === language_id),
  );
  const describe = (name: Parameters<typeof Help>[0]['name']) => ({
    label: texts.labels[name],
    description: <Help name={name} mode="pipeline" />,
    withAsterisk: true,
  });
  return (
    <Stack>
      <TextInput
        {...form.getInputProps('name')}
        label={texts.labels.name}
        withAsterisk
        data-autofocus
        maxLength={255}
      />
      <Select
        {...form.getInputProps('type')}
        {...describe('type')}
        allowDeselect={false}
        data={optionsOf(texts.options.type)}
      />
      <Select
        {...form.getInputProps('language_id')}
        label={texts.labels.language_id}
        data={choices(languages)}
        allowDeselect={false}
        searchable
      />
      <Select
        {...form.getInputProps('voice_id')}
        label={texts.labels.voice_id}
        data={(speaking ?? []).map(({ id, name, gender, accent }) => ({
          value: String(id),
          label: `${name} (${texts.voice.describe(gender, accent)})`,
        }))}
        allowDeselect={false}
        searchable
      />
      <Select
        {...form.getInputProps('llm_model_id')}
        label={texts.labels.llm_model_id}
        data={choices(textModels)}
        allowDeselect={false}
        searchable
      />
      <PromptField
        {...describe('initial_message')}
        value={initial_message}
        variables={{}}
        error={form.errors['initial_message']}
        onChange={({ currentTarget }) => form.setFieldValue('initial_message', currentTarget.value)}
        minRows={2}
        maxLength={5000}
      />
      <PromptField
        {...describe('system_prompt')}
        value={system_prompt}
        variables={{}}
        error={form.errors['system_prompt']}
        onChange={({ currentTarget }) => form.setFieldValue('system_prompt', currentTarget.value)}
        minRows={6}
        maxLength={50_000}
      />
    </Stack>
  );
}
