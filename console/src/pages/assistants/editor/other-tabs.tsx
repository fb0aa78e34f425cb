import { MultiSelect } from '@mantine/core';
import { $api } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { t } from '#console/texts';
import { useGroups } from '../use-catalogue';
import { KnowledgeFields } from './knowledge-fields';
import { BuiltInFields, EvaluationFields, FillerFields, TransferFields } from './list-fields';
import { choicesOf, fieldProps, IdSelect, SettingField } from './setting-field';
import { CALL, CONVERSATION, SOUND, VOICE_DETAILS, WEBHOOKS, type TabProps } from './tab-settings';
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

export function VoiceTab({ form }: TabProps) {
  return (
    <>
      <SettingField form={form} name="mode" />
      <LanguageField form={form} />
      <VoiceField form={form} />
      <ModelFields form={form} />
      <Fields form={form} names={['llm_temperature', ...VOICE_DETAILS]} />
      <ProviderFields form={form} />
      <Fields form={form} names={SOUND} />
    </>
  );
}

export function ConversationTab({ form }: TabProps) {
  return (
    <>
      <Fields form={form} names={CONVERSATION} />
      {form.getValues().fillers && <FillerFields form={form} />}
    </>
  );
}

export function CallTab({ form }: TabProps) {
  return (
    <>
      <NumberField form={form} />
      <TimezoneField form={form} />
      <Fields form={form} names={CALL} />
    </>
  );
}

export function AfterTab({ form }: TabProps) {
  return (
    <>
      <SettingField form={form} name="post_call_evaluation" />
      <EvaluationFields form={form} />
      <Fields form={form} names={WEBHOOKS} />
    </>
  );
}

export function ToolsTab({ form }: TabProps) {
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

export function OrderTab({ form }: TabProps) {
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
