import { Box, Button, Grid, Skeleton, Stack } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { $api, api, type Schemas } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useRemoval } from '#console/components/use-removal';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { NEW_TOOL, ToolFields, valuesOf, type Tool, type ToolValues } from './tool-form';
import { ToolTest } from './tool-test';

const texts = t.tools;

const above = [
  <LinkAnchor key="list" to="/tools">
    {texts.title}
  </LinkAnchor>,
];

export function NewToolPage() {
  const { can } = useSession();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={texts.new.title} above={above} />
      <Box maw={720}>
        <ApiForm<ToolValues>
          isNew
          initialValues={NEW_TOOL}
          submit={texts.new.submit}
          forbidden={can('write') ? null : t.needsScope('write')}
          save={async (_, values) => (await api.POST('/user/tools', { body: values })).data?.data}
          onSaved={(result) => {
            const { id, name } = result as Schemas['ToolResponse'];
            notifyDone(texts.new.created(name));
            void queryClient.invalidateQueries();
            void navigate({ to: '/tools/$id', params: { id: String(id) } });
          }}
        >
          {(form) => <ToolFields form={form} />}
        </ApiForm>
      </Box>
    </>
  );
}

export function ToolPage() {
  const { id } = useParams({ from: '/shell/tools/$id' });
  const query = $api.useQuery('get', '/user/tools/{id}', { params: { path: { id: Number(id) } } });
  if (query.data) return <Loaded key={id} tool={query.data} />;
  if (query.error) return <FailedPage title={texts.title} above={above} query={query} />;
  return (
    <>
      <PageHeader title={texts.title} above={above} />
      <Stack maw={720}>
        {Array.from({ length: 5 }, (_, n) => (
          <Skeleton key={n} h={56} />
        ))}
      </Stack>
    </>
  );
}

function Loaded({ tool }: { tool: Tool }) {
  const { can } = useSession();
  const removal = useRemoval();
  const [initialValues] = useState(() => valuesOf(tool));
  const [isDirty, setDirty] = useState(false);
  const { data: assistants } = $api.useQuery('get', '/user/assistants', {});
  const users = assistants?.filter(({ tools }) => tools.some((one) => 'id' in one && one.id === tool.id));

  const { title, text } = texts.deleteQuestion;
  const remove = (): Promise<void> =>
    removal({
      question: { title: title(tool.name), text, confirm: texts.delete },
      remove: () => api.DELETE('/user/tools/{id}', { params: { path: { id: tool.id } } }),
      done: texts.deleted(tool.name),
      failed: texts.deleteFailed,
      list: '/tools',
    });
  return (
    <>
      <PageHeader
        title={tool.name}
        above={above}
        text={users === undefined ? ' ' : texts.usedBy(users.length)}
        actions={
          <NeedsScope scope="write">
            {(refusal) => (
              <Button variant="default" size="sm" onClick={() => void remove()} {...refusal}>
                {texts.delete}
              </Button>
            )}
          </NeedsScope>
        }
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <ApiForm<ToolValues>
            initialValues={initialValues}
            onDirty={setDirty}
            forbidden={can('write') ? null : t.needsScope('write')}
            save={async (changed) => {
              await api.PUT('/user/tools/{id}', { params: { path: { id: tool.id } }, body: changed });
              notifyDone(texts.saved);
              void queryClient.invalidateQueries();
            }}
          >
            {(form) => <ToolFields form={form} />}
          </ApiForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <ToolTest tool={tool} isDirty={isDirty} />
        </Grid.Col>
      </Grid>
    </>
  );
}
