import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useState, type ComponentType, type ReactNode } from 'react';
import { lazyPart } from '#console/components/lazy-part';
import { t } from '#console/texts';
import { PromptField } from './prompt-field';
import { FilledText, fillingFor, VariableList } from './prompt-preview';
import { fieldProps, SettingField } from './setting-field';
import {
  CALL,
  CONVERSATION,
  PROVIDERS,
  SOUND,
  VOICE_DETAILS,
  WEBHOOKS,
  type Name,
  type TabProps,
} from './tab-settings';
import { VariableFields } from './variable-fields';

const texts = t.assistants;

export interface EditorTab {
  /** In the address. */
  key: keyof typeof texts.tabs;
  /** Settings whose errors it shows. */
  names: Name[];
  content: ComponentType<TabProps>;
}

/** Loaded when one of them is opened: most visits change the prompt. */
const lazyTab = (name: keyof typeof import('./other-tabs')) =>
  lazyPart(name, async () => (await import('./other-tabs'))[name], <Skeleton h={240} />);
const VoiceTab = lazyTab('VoiceTab');
const ConversationTab = lazyTab('ConversationTab');
const CallTab = lazyTab('CallTab');
const ToolsTab = lazyTab('ToolsTab');
const AfterTab = lazyTab('AfterTab');
const RetentionTab = lazyPart(
  'RetentionTab',
  async () => (await import('./retention-fields')).RetentionTab,
  <Skeleton h={240} />,
);
const OrderTab = lazyTab('OrderTab');

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
    content: VoiceTab,
  },
  {
    key: 'conversation',
    names: [...CONVERSATION, 'filler_config'],
    content: ConversationTab,
  },
  {
    key: 'call',
    names: ['phone_number_id', 'timezone', ...CALL],
    content: CallTab,
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
    content: AfterTab,
  },
  { key: 'retention', names: ['retention'], content: RetentionTab },
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

export const TabBody = ({ children }: { children: ReactNode }) => (
  <Stack gap="md" pt="md">
    {children}
  </Stack>
);
