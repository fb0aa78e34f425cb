import { Modal, Stack, TextInput } from '@mantine/core';
import { api, type Schemas } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { SpendLimitInput } from '#console/components/spend-limit-input';
import { t } from '#console/texts';
import { AddressesInput } from './addresses-input';

interface EditApiKeyProps {
  apiKey: Schemas['ApiKeyResponse'];
  close: () => void;
}

/** Its name, the addresses that may use it and its limit: nothing else of a key changes. */
export default function EditApiKey({ apiKey, close }: EditApiKeyProps) {
  const { id, name, allowed_addresses, spend_limit_per_hour } = apiKey;
  return (
    <Modal opened onClose={close} title={t.apiKeys.edit.title(name)}>
      <ApiForm<Pick<typeof apiKey, 'name' | 'allowed_addresses' | 'spend_limit_per_hour'>>
        initialValues={{ name, allowed_addresses, spend_limit_per_hour }}
        save={(body) => api.PUT('/user/api-keys/{id}', { params: { path: { id } }, body })}
        onSaved={() => {
          notifyDone(t.apiKeys.edit.done);
          void queryClient.invalidateQueries({ queryKey: ['get', '/user/api-keys'] });
          close();
        }}
      >
        {(form) => (
          <Stack>
            <TextInput
              label={t.apiKeys.form.name}
              data-autofocus
              withAsterisk
              maxLength={255}
              {...form.getInputProps('name')}
            />
            <AddressesInput {...form.getInputProps('allowed_addresses')} />
            <SpendLimitInput help={t.spendLimit.ofKey} {...form.getInputProps('spend_limit_per_hour')} />
          </Stack>
        )}
      </ApiForm>
    </Modal>
  );
}
