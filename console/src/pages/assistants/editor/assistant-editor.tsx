import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api, api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { useSearchChange } from '#console/components/use-search-change';
import { notifyDone } from '#console/components/notify';
import { confirmRemovals } from '#console/pages/retention/removals';
import { removalsOf, rulesFor } from '#console/pages/retention/retention-rules';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import {
  NAMES_IN_ERRORS,
  requestOf,
  valuesOf,
  type Assistant,
  type AssistantValues,
} from '../assistant-values';
import { nameOf, useBases, useCatalogue, useGroups } from '../use-catalogue';
import { useTrialLead } from '../use-lead';
import { Changes, type NameOf } from './changes';
import type { AssistantForm } from './setting-field';
import { EDITOR_TABS, TabBody, type EditorTab } from './tabs';

const texts = t.assistants;

interface AssistantEditorProps {
  assistant: Assistant;
  /** Whether something differs from what is stored. */
  onDirty: (isDirty: boolean) => void;
}

export function AssistantEditor({ assistant, onDirty }: AssistantEditorProps) {
  const { can } = useSession();
  const [initialValues] = useState(() => valuesOf(assistant));
  const { group } = useSearch({ from: '/shell/assistants/$id' });
  const change = useSearchChange();
  const lead = useTrialLead();
  const names = useNames();
  const open = EDITOR_TABS.find(({ key }) => key === group) ?? EDITOR_TABS[0]!;
  const save = async (changed: Partial<AssistantValues>): Promise<void> => {
    await api.PUT('/user/assistant/{id}', {
      params: { path: { id: assistant.id } },
      body: requestOf(changed),
    });
    notifyDone(texts.saved);
    void queryClient.invalidateQueries();
  };
  return (
    <ApiForm<AssistantValues>
      initialValues={initialValues}
      ask={askRemovals}
      save={save}
      onDirty={onDirty}
      otherNames={NAMES_IN_ERRORS}
      forbidden={can('write') ? null : t.needsScope('write')}
    >
      {(form) => (
        <>
          <Tabs
            value={open.key}
            onChange={(next) => change({ group: next === 'prompt' || next === null ? undefined : next })}
            keepMounted={false}
          >
            <Tabs.List>
              {EDITOR_TABS.map((tab) => (
                <Tabs.Tab
                  key={tab.key}
                  value={tab.key}
                  px={10}
                  {...(hasErrors(tab, form) && {
                    'aria-label': texts.tabWithErrors(texts.tabs[tab.key]),
                    c: 'var(--mantine-color-error)',
                  })}
                >
                  {texts.tabs[tab.key]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {EDITOR_TABS.map(({ key, content: Content }) => (
              <Tabs.Panel key={key} value={key}>
                <TabBody>
                  <Content form={form} lead={lead} />
                </TabBody>
              </Tabs.Panel>
            ))}
          </Tabs>
          <Changes form={form} nameOf={names} />
        </>
      )}
    </ApiForm>
  );
}

/** Before a shorter retention removes what is older. */
async function askRemovals(
  { retention: next }: AssistantValues,
  { retention }: AssistantValues,
): Promise<boolean> {
  if (JSON.stringify(next) === JSON.stringify(retention)) return true;
  const { data: account } = await queryClient.fetchQuery($api.queryOptions('get', '/user/retention'));
  return confirmRemovals(removalsOf(rulesFor(account, retention), rulesFor(account, next)));
}

const hasErrors = ({ names }: EditorTab, form: AssistantForm): boolean =>
  Object.keys(form.errors).some((field) =>
    names.some((name) => field === name || field.startsWith(`${name}.`)),
  );

/** Names of what the settings refer to by a number. */
function useNames(): NameOf {
  const { languages, voices, models } = useCatalogue();
  const { folders, labels } = useGroups();
  const { data: tools } = $api.useQuery('get', '/user/tools', {});
  const bases = useBases();
  const of: Partial<Record<keyof AssistantValues, { id: number; name: string }[] | undefined>> = {
    language_id: languages,
    voice_id: voices,
    llm_model_id: models,
    folder_id: folders,
    label_ids: labels,
    tool_ids: tools,
    knowledgebase_id: bases,
  };
  return (name, value) => (name in of ? nameOf(of[name], value) : null);
}
