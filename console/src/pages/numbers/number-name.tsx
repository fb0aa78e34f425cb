import { ActionIcon, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { api, type Schemas } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone } from '#console/components/notify';
import { formatPhone } from '#console/formats/numbers';
import { t } from '#console/texts';

const MOST_CHARACTERS = 50;

/** The number's name, and a pencil to change it. */
export function NumberName({
  number: { id, phone_number, nickname },
}: {
  number: Schemas['PhoneNumberResponse'];
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  const label = t.numbers.rename(formatPhone(phone_number));
  const rename = (name: string | null): Promise<unknown> =>
    api.PUT('/user/phone-numbers/{id}', { params: { path: { id } }, body: { nickname: name } });
  return (
    <Group gap={4} wrap="nowrap">
      {nickname ?? '–'}
      <NeedsScope scope="write">
        {(refusal) => (
          <Popover opened={isOpen} onDismiss={close} trapFocus withArrow shadow="sm" width={260}>
            <Popover.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={label}
                onClick={open}
                {...refusal}
              >
                <Pencil size={14} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown aria-label={label}>
              <ApiForm
                initialValues={{ nickname: nickname ?? '' }}
                save={(_, { nickname: name }) => rename(name.trim() === '' ? null : name)}
                onSaved={() => {
                  notifyDone(t.numbers.renamed, () => rename(nickname));
                  close();
                  void client.invalidateQueries();
                }}
              >
                {(form) => (
                  <Stack>
                    <TextInput
                      data-autofocus
                      label={t.numbers.nickname}
                      description={t.numbers.nicknameHelp}
                      maxLength={MOST_CHARACTERS}
                      {...form.getInputProps('nickname')}
                    />
                  </Stack>
                )}
              </ApiForm>
            </Popover.Dropdown>
          </Popover>
        )}
      </NeedsScope>
    </Group>
  );
}
