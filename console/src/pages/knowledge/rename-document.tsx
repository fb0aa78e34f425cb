import { Modal, Stack, TextInput } from '@mantine/core';
import { api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { t } from '#console/texts';
import { requestOf } from './base-fields';
import type { KnowledgeDocument } from './knowledge-words';

const { document: texts } = t.knowledge;

interface RenameDocumentProps {
  document: KnowledgeDocument;
  baseId: number;
  close: () => void;
}

export default function RenameDocument({ document, baseId, close }: RenameDocumentProps) {
  const { id, name, description } = document;
  return (
    <Modal opened onClose={close} title={texts.editTitle}>
      <ApiForm<{ name: string; description: string }>
        initialValues={{ name, description: description ?? '' }}
        save={(changed) =>
          api.PUT('/user/knowledgebases/{knowledgebaseId}/documents/{id}', {
            params: { path: { knowledgebaseId: baseId, id } },
            body: requestOf(changed),
          })
        }
        onSaved={() => {
          notifyDone(texts.renamed);
          void queryClient.invalidateQueries();
          close();
        }}
      >
        {(form) => (
          <Stack>
            <TextInput
              data-autofocus
              {...form.getInputProps('name')}
              label={texts.name}
              withAsterisk
              maxLength={255}
            />
            <TextInput
              {...form.getInputProps('description')}
              label={texts.description}
              description={texts.descriptionHelp}
              maxLength={255}
            />
          </Stack>
        )}
      </ApiForm>
    </Modal>
  );
}
