import { Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { $api, api, type Schemas } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const texts = t.sampleItems;

type Values = { name: string; note: string };

const NEW: Values = { name: '', note: '' };
const ABOVE = [
  <LinkAnchor key="list" to="/sample-items" size="sm">
    {texts.title}
  </LinkAnchor>,
];

export function NewSampleItemPage() {
  const leave = useLeave(texts.created);
  const { can } = useSession();
  return (
    <>
      <PageHeader title={texts.create} above={ABOVE} />
      <ApiForm<Values>
        isNew
        initialValues={NEW}
        submit={texts.create}
        forbidden={can('write') ? null : t.needsScope('write')}
        save={(_, { name, note }) =>
          api.POST('/user/sample-items', { body: { name, note: note === '' ? null : note } })
        }
        onSaved={leave}
      >
        {(form) => <Fields form={form} />}
      </ApiForm>
    </>
  );
}

export function EditSampleItemPage() {
  const { id } = useParams({ from: '/shell/sample-items/$id' });
  const { data, error, refetch } = $api.useQuery('get', '/user/sample-items/{id}', {
    params: { path: { id: Number(id) } },
  });
  return (
    <>
      <PageHeader title={data?.data.name ?? '…'} above={ABOVE} />
      {data ? (
        <EditForm key={id} stored={data.data} />
      ) : error ? (
        <ErrorNote error={error} retry={refetch} />
      ) : (
        // Not the form: its initial values are the stored ones.
        <Skeleton h={240} maw={560} />
      )}
    </>
  );
}

function EditForm({ stored: { id, name, note } }: { stored: Schemas['SampleItemResponse'] }) {
  const leave = useLeave(texts.saved);
  const { can } = useSession();
  return (
    <ApiForm<Values>
      initialValues={{ name, note: note ?? '' }}
      forbidden={can('write') ? null : t.needsScope('write')}
      save={({ note: changed, ...same }) =>
        api.PUT('/user/sample-items/{id}', {
          params: { path: { id } },
          body: { ...same, ...(changed !== undefined && { note: changed === '' ? null : changed }) },
        })
      }
      onSaved={leave}
    >
      {(form) => <Fields form={form} />}
    </ApiForm>
  );
}

/** Shows a confirmation, and returns to the list. */
function useLeave(done: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (): void => {
    notifyDone(done);
    void client.invalidateQueries();
    void navigate({ to: '/sample-items' });
  };
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <Stack gap="md" maw={560}>
      <TextInput label={texts.name} required maxLength={255} {...form.getInputProps('name')} />
      <Textarea label={texts.note} autosize minRows={3} maxLength={2000} {...form.getInputProps('note')} />
    </Stack>
  );
}
