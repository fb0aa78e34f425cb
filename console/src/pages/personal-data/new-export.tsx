import { Modal, Stack, Text } from '@mantine/core';
import { api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { useSearchChange } from '#console/components/use-search-change';
import { notifyDone } from '#console/components/notify';
import { t } from '#console/texts';
import type { Export } from './job-words';
import { PersonNumberInput } from './person-number-input';

const { export: texts } = t.personalData;

/** Requests one and shows it. */
export default function NewExport({ close }: { close: () => void }) {
  const change = useSearchChange();
  const save = async (body: { phone_number?: string }): Promise<Export | undefined> =>
    (await api.POST('/user/exports', { body: { phone_number: body.phone_number ?? '' } })).data?.data;
  return (
    <Modal opened onClose={close} title={texts.action}>
      <ApiForm
        isNew
        initialValues={{ phone_number: '' }}
        save={save}
        submit={texts.submit}
        onSaved={(job) => {
          const { id, phone_number: number } = job as Export;
          notifyDone(texts.requested(number));
          void queryClient.invalidateQueries({ queryKey: ['get', '/user/exports'] });
          close();
          change({ job: id, page: undefined });
        }}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{texts.text}</Text>
            <PersonNumberInput {...form.getInputProps('phone_number')} />
          </Stack>
        )}
      </ApiForm>
    </Modal>
  );
}
