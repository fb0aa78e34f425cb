import { Modal, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { formatPhone } from '#console/formats/numbers';
import { t } from '#console/texts';

const NEW = { phone_number: '', reason: '' };

export function AddSuppression({ close }: { close: () => void }) {
  const client = useQueryClient();
  const save = async (
    _changed: object,
    { phone_number, reason }: typeof NEW,
  ): Promise<string | undefined> => {
    const body = { phone_number, reason: reason.trim() === '' ? null : reason };
    return (await api.POST('/user/suppressions', { body })).data?.data.phone_number;
  };
  return (
    <Modal opened onClose={close} title={t.suppressions.add}>
      <ApiForm
        isNew
        initialValues={NEW}
        save={save}
        submit={t.suppressions.addSubmit}
        onSaved={(number) => {
          notifyDone(t.suppressions.added(formatPhone(String(number))));
          void client.invalidateQueries({ queryKey: ['get', '/user/suppressions'] });
          close();
        }}
      >
        {(form) => (
          <Stack>
            <TextInput
              data-autofocus
              required
              type="tel"
              label={t.suppressions.number}
              placeholder="+1 500 555 0024"
              {...form.getInputProps('phone_number')}
            />
            <TextInput
              label={t.suppressions.reason}
              description={t.suppressions.reasonHelp}
              maxLength={255}
              {...form.getInputProps('reason')}
            />
          </Stack>
        )}
      </ApiForm>
    </Modal>
  );
}
