import { Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schemas } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { BaseFields, requestOf, type BaseValues } from './base-fields';

const texts = t.knowledge;

const above = [
  <LinkAnchor key="list" to="/knowledge">
    {texts.title}
  </LinkAnchor>,
];

const NEW: BaseValues = { name: '', description: '', language: 'en' };

export function NewBasePage() {
  const { can } = useSession();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={texts.new.title} text={texts.new.text} above={above} />
      <Box maw={720}>
        <ApiForm<BaseValues>
          isNew
          initialValues={NEW}
          submit={texts.new.submit}
          forbidden={can('write') ? null : t.needsScope('write')}
          save={async (_, values) =>
            (await api.POST('/user/knowledgebases', { body: requestOf(values) })).data?.data
          }
          onSaved={(result) => {
            const { id, name } = result as Schemas['KnowledgeBaseResponse'];
            notifyDone(texts.new.created(name));
            void queryClient.invalidateQueries();
            void navigate({ to: '/knowledge/$id', params: { id: String(id) } });
          }}
        >
          {(form) => <BaseFields form={form} isNew />}
        </ApiForm>
      </Box>
    </>
  );
}
