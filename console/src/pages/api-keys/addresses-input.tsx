import { TagsInput, type TagsInputProps } from '@mantine/core';
import { t } from '#console/texts';

/** As the API has it. */
const MOST_RANGES = 20;

/** `allowed_addresses` of a form. */
export function AddressesInput(props: TagsInputProps) {
  const { addresses, addressesHelp } = t.apiKeys.form;
  return (
    <TagsInput
      label={addresses}
      description={addressesHelp}
      maxTags={MOST_RANGES}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      {...props}
    />
  );
}
