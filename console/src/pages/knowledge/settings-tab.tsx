import { useState } from 'react';
import { api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { BaseFields, requestOf, type BaseValues } from './base-fields';
import type { Base } from './knowledge-words';

export function SettingsTab({ base }: { base: Base }) {
  const { can } = useSession();
  const [initialValues] = useState<BaseValues>(() => ({
    name: base.name,
    description: base.description ?? '',
    language: base.language,
  }));
  return (
    <ApiForm<BaseValues>
      initialValues={initialValues}
      forbidden={can('write') ? null : t.needsScope('write')}
      save={async (changed) => {
        await api.PUT('/user/knowledgebases/{id}', {
          params: { path: { id: base.id } },
          body: requestOf(changed),
        });
        notifyDone(t.knowledge.saved);
        void queryClient.invalidateQueries();
      }}
    >
      {(form) => <BaseFields form={form} />}
    </ApiForm>
  );
}
