import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '#console/texts';

const { erase: texts } = t.personalData;

/** Whose data an erasure or an export is about. */
export function PersonNumberInput(props: TextInputProps) {
  return (
    <TextInput
      data-autofocus
      required
      type="tel"
      label={texts.number}
      description={texts.numberHelp}
      placeholder="+1 500 555 0020"
      {...props}
    />
  );
}
