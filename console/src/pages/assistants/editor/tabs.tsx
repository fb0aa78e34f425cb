import { Group, MultiSelect, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { $api } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { useGroups } from '../use-catalogue';
import type { TrialLead } from '../use-lead';
import { BuiltInFields, EvaluationFields, FillerFields, TransferFields, VariableFields } from './list-fields';
import { KnowledgeFields } from './knowledge-fields';
import { PromptField } from './prompt-field';
import { FilledText, fillingFor, VariableList } from './prompt-preview';
import { choicesOf, fieldProps, IdSelect, SettingField, type AssistantForm } from './setting-field';
import {
  EndCallField,
  Fields,
  LanguageField,
  ModelFields,
  NumberField,
  ProviderFields,
  TimezoneField,
  VoiceField,
} from './voice-fields';

const texts = t.assistants;
type Name = keyof AssistantValues;

interface TabProps {
  form: AssistantForm;
  lead: TrialLead;
}

export interface EditorTab {
  /** In the address. */
  key: keyof typeof texts.tabs;
  /** Settings whose errors it shows. */
  names: Name[];
  content: (props: TabProps) => ReactNode;
}

const VOICE_DETAILS: Name[] = ['speech_speed', 'voice_stability', 'voice_similarity'];
const SOUND: Name[] = ['ambient_sound', 'ambient_sound_volume', 'enable_noise_cancellation'];
const CONVERSATION: Name[] = [
  'wait_for_customer',
  'endpoint_type',
  'endpoint_sensitivity',
  'allow_interruptions',
  'interrupt_sensitivity',
  'min_interrupt_words',
  'fillers',
  'reengagement_interval',
  'reengagement_prompt',
];
const CALL: Name[] = [
  'caller_id_lookup',
  'ringing_time',
  'max_duration',
  'max_silence_duration',
  'max_initial_silence_duration',
  'end_call_on_voicemail',
  'voice_mail_message',
  'record',
];
const WEBHOOKS: Name[] = [
  'is_webhook_active',
  'webhook_url',
  'send_webhook_only_on_completed',
  'include_recording_in_webhook',
  'inbound_webhook_url',
  'conversation_ended_webhook_url',
  'conversation_inactivity_timeout',
];

const PROVIDERS: Name[] = ['synthesizer_provider_id', 'transcriber_provider_id', 'fallback_voice_ids'];

export const EDITOR_TABS: EditorTab[] = [
  {
    key: 'prompt',
    names: ['name', 'type', 'status', 'initial_message', 'system_prompt', 'variables'],
    content: PromptTab,
  },
  {
    key: 'voice',
    names: [
      'mode',
      'language_id',
      'voice_id',
      'llm_model_id',
      'llm_fallback_model',
      'llm_temperature',
    ].concat(VOICE_DETAILS, SOUND, PROVIDERS) as Name[],
    content: ({ form }) => (
      <>
        <SettingField form={form} name="mode" />
        <LanguageField form={form} />
        <VoiceField form={form} />
        <ModelFields form={form} />
        <Fields form={form} names={['llm_temperature', ...VOICE_DETAILS]} />
        <ProviderFields form={form} />
        <Fields form={form} names={SOUND} />
      </>
    ),
  },
  {
    key: 'conversation',
    names: [...CONVERSATION, 'filler_config'],
    content: ({ form }) => (
      <>
        <Fields form={form} names={CONVERSATION} />
        {form.getValues().fillers && <FillerFields form={form} />}
      </>
    ),
  },
  {
    key: 'call',
    names: ['phone_number_id', 'timezone', ...CALL],
    content: ({ form }) => (
      <>
        <NumberField form={form} />
        <TimezoneField form={form} />
        <Fields form={form} names={CALL} />
      </>
    ),
  },
  {
    key: 'tools',
    names: [
      'tool_ids',
      'tools',
      'end_call_tool',
      'transfer_numbers',
      'knowledgebase_id',
      'knowledgebase_mode',
    ],
    content: ToolsTab,
  },
  {
    key: 'after',
    names: ['post_call_evaluation', 'post_call_schema', ...WEBHOOKS],
    content: ({ form }) => (
      <>
        <SettingField form={form} name="post_call_evaluation" />
        <EvaluationFields form={form} />
        <Fields form={form} names={WEBHOOKS} />
      </>
    ),
  },
  { key: 'order', names: ['folder_id', 'label_ids'], content: OrderTab },
];

function PromptTab({ form, lead }: TabProps) {
  const [isPreview, setPreview] = useState(false);
  const values = form.getValues();
  const filling = fillingFor(values, lead);
  const who = lead.id === null ? texts.prompt.example : lead.phone;
  const prompts = ['initial_message', 'system_prompt'] as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
        <SettingField form={form} name="name" />
        <SettingField form={form} name="type" />
        <SettingField form={form} name="status" />
      </SimpleGrid>
      <Group justify="space-between" gap="xs">
        <VariableList texts={prompts.map((name) => values[name])} filling={filling} />
        <SegmentedControl
          size="xs"
          aria-label={texts.prompt.preview}
          value={isPreview ? 'preview' : 'edit'}
          onChange={(next) => setPreview(next === 'preview')}
          data={[
            { value: 'edit', label: texts.prompt.edit },
            { value: 'preview', label: texts.prompt.preview },
          ]}
        />
      </Group>
      {isPreview && (
        <Text size="sm" c="dimmed">
          {texts.prompt.previewOf(who)}
        </Text>
      )}
      {prompts.map((name) =>
        isPreview ? (
          <div key={name}>
            <Text fw={500} mb={4}>
              {texts.labels[name]}
            </Text>
            <FilledText
              text={values[name]}
              filling={filling}
              use={name === 'system_prompt' ? 'prompt' : 'speech'}
            />
          </div>
        ) : (
          <PromptField
            key={name}
            {...fieldProps(form, name)}
            error={form.errors[name]}
            value={values[name]}
            variables={filling.variables}
            onChange={({ currentTarget }) => form.setFieldValue(name, currentTarget.value)}
            minRows={name === 'system_prompt' ? 10 : 2}
            maxLength={name === 'system_prompt' ? 50_000 : 5000}
          />
        ),
      )}
      <VariableFields form={form} />
    </>
  );
}

function ToolsTab({ form }: TabProps) {
  const { data: tools } = $api.useQuery('get', '/user/tools', {});
  const { tool_ids } = form.getValues();
  // Settings of their own say the same: only what a request has declared is shown.
  const hasBuiltIn = form.getInitialValues().tools.length > 0;
  return (
    <>
      <div>
        <MultiSelect
          {...fieldProps(form, 'tool_ids')}
          error={form.errors['tool_ids']}
          data={choicesOf(tools) ?? []}
          value={tool_ids.map(String)}
          onChange={(ids) => form.setFieldValue('tool_ids', ids.map(Number))}
          placeholder={tools?.length === 0 ? texts.noTools : undefined}
          searchable
        />
        <LinkAnchor to="/tools/new" size="sm">
          {texts.newTool}
        </LinkAnchor>
      </div>
      <KnowledgeFields form={form} />
      <EndCallField form={form} />
      <TransferFields form={form} />
      {hasBuiltIn && <BuiltInFields form={form} />}
    </>
  );
}

function OrderTab({ form }: TabProps) {
  const { folders, labels } = useGroups();
  return (
    <>
      <IdSelect form={form} name="folder_id" data={choicesOf(folders)} clearable />
      <MultiSelect
        {...fieldProps(form, 'label_ids')}
        data={choicesOf(labels) ?? []}
        value={form.getValues().label_ids.map(String)}
        onChange={(ids) => form.setFieldValue('label_ids', ids.map(Number))}
        searchable
      />
    </>
  );
}

export const TabBody = ({ children }: { children: ReactNode }) => (
  <Stack gap="md" pt="md">
    {children}
  </Stack>
);
