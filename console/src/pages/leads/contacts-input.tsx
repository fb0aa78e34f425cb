import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus, X } from 'lucide-react';
import { t } from '#console/texts';
import type { NewLead } from './lead-words';

/** The further contacts of a new lead. */
export function ContactsInput({ form }: { form: UseFormReturnType<NewLead> }) {
  const { form: words } = t.leads;
  return (
    <Input.Wrapper label={words.contacts} description={words.contactsHelp} labelElement="div">
      <Stack gap="xs" mt={6}>
        {form.values.secondary_contacts.map((_, index) => (
          <Group key={form.key(`secondary_contacts.${index}`)} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={words.contact(index + 1)}
              flex={1}
              {...form.getInputProps(`secondary_contacts.${index}.phone_number`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={words.removeContact(index + 1)}
              onClick={() => form.removeListItem('secondary_contacts', index)}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Plus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('secondary_contacts', { phone_number: '' })}
        >
          {words.addContact}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
