import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '#console/texts';
import { KNOWLEDGE_LANGUAGES } from '../../../../src/modules/knowledge/knowledge.types.js';
import { languageOf, type Base } from './knowledge-words';

const { fields } = t.knowledge;

export type BaseValues = Pick<Base, 'name' | 'language'> & { description: string };

const LANGUAGES = KNOWLEDGE_LANGUAGES.map((value) => ({ value, label: languageOf(value) }));

interface BaseFieldsProps {
  form: UseFormReturnType<BaseValues>;
  /** Its language can be chosen. */
  isNew?: boolean;
}

export function BaseFields({ form, isNew = false }: BaseFieldsProps) {
  return (
    <Stack>
      <TextInput {...form.getInputProps('name')} label={fields.name} withAsterisk maxLength={255} />
      <Textarea
        {...form.getInputProps('description')}
        label={fields.description}
        description={fields.descriptionHelp}
        placeholder={fields.descriptionHint}
        autosize
        minRows={2}
        maxLength={255}
      />
      <Select
        {...form.getInputProps('language')}
        label={fields.language}
        description={fields.languageHelp}
        data={LANGUAGES}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        maw={320}
      />
    </Stack>
  );
}

/** Fields that are empty are null in requests. */
export const requestOf = <V extends Partial<BaseValues>>({ description, ...others }: V) => ({
  ...others,
  ...(description !== undefined && { description: description.trim() === '' ? null : description }),
});
