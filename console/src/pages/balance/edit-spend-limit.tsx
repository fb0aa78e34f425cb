import { Modal } from '@mantine/core';
import { api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { SpendLimitInput } from '#console/components/spend-limit-input';
import { t } from '#console/texts';

interface EditSpendLimitProps {
  /** Null: none. */
  limit: number | null;
  close: () => void;
}

export default function EditSpendLimit({ limit, close }: EditSpendLimitProps) {
  return (
    <Modal opened onClose={close} title={t.spendLimit.title}>
      <ApiForm<{ spend_limit_per_hour: number | null }>
        initialValues={{ spend_limit_per_hour: limit }}
        save={(body) => api.PUT('/user/spend-limit', { body })}
        onSaved={() => {
          notifyDone(t.spendLimit.done);
          void queryClient.invalidateQueries({ queryKey: ['get', '/user/spend-limit'] });
          close();
        }}
      >
        {(form) => (
          <SpendLimitInput help={t.spendLimit.ofAccount} {...form.getInputProps('spend_limit_per_hour')} />
        )}
      </ApiForm>
    </Modal>
  );
}
