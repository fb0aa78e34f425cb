import { Select } from '@mantine/core';
import { LinkAnchor } from '#console/components/links';
import { optionsOf } from '#console/components/search-filters';
import { t } from '#console/texts';
import type { AssistantValues } from '../assistant-values';
import { useBases } from '../use-catalogue';
import { choicesOf, fieldProps, IdSelect, type AssistantForm } from './setting-field';

const texts = t.assistants;
const { none: _, ...MODES } = texts.options.knowledgebase_mode;

type Mode = AssistantValues['knowledgebase_mode'];

/** The base that the assistant answers from; with one, how it uses it. */
export function KnowledgeFields({ form }: { form: AssistantForm }) {
  const bases = useBases();
  const { knowledgebase_id: id, knowledgebase_mode: mode } = form.getValues();
  const setMode = (next: Mode): void => form.setFieldValue('knowledgebase_mode', next);
  return (
    <>
      <div>
        <IdSelect
          form={form}
          name="knowledgebase_id"
          data={choicesOf(bases)}
          clearable
          onChosen={(next) => {
            // The API shows no mode without a base.
            if (next === null) setMode('none');
            else if (mode === 'none') setMode('function_call');
          }}
        />
        {id === null ? (
          <LinkAnchor to={bases?.length === 0 ? '/knowledge/new' : '/knowledge'} size="sm">
            {bases?.length === 0 ? t.knowledge.create : texts.toBases}
          </LinkAnchor>
        ) : (
          <LinkAnchor to="/knowledge/$id" params={{ id: String(id) }} size="sm">
            {texts.toBase}
          </LinkAnchor>
        )}
      </div>
      {id !== null && (
        <Select
          {...fieldProps(form, 'knowledgebase_mode')}
          error={form.errors['knowledgebase_mode']}
          data={optionsOf(MODES)}
          value={mode}
          onChange={(next) => setMode(next as Mode)}
          allowDeselect={false}
          styles={{ wrapper: { maxWidth: 420 } }}
        />
      )}
    </>
  );
}
