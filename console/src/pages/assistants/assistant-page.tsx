import { ActionIcon, Box, Grid, Menu, Skeleton, Stack } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { $api, api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { useRemoval } from '#console/components/use-removal';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { copyOf, type Assistant } from './assistant-values';
import { AssistantEditor } from './editor/assistant-editor';
import { TryIt } from './try/try-it';
import { nameOf, useCatalogue } from './use-catalogue';

const texts = t.assistants;
/** Below the header while one scrolls through the settings. */
const STICKY = { position: 'sticky', top: 64 } as const;

export function AssistantPage() {
  const { id } = useParams({ from: '/shell/assistants/$id' });
  const query = $api.useQuery('get', '/user/assistant/{id}', { params: { path: { id: Number(id) } } });
  const above = [
    <LinkAnchor key="list" to="/assistants">
      {texts.title}
    </LinkAnchor>,
  ];
  if (query.data) return <Loaded key={id} assistant={query.data.data} above={above} />;
  if (query.error) return <FailedPage title={texts.title} above={above} query={query} />;
  return (
    <>
      <PageHeader title={texts.title} above={above} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Skeleton h={36} />
            <Skeleton h={60} />
            <Skeleton h={420} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Skeleton h={480} />
        </Grid.Col>
      </Grid>
    </>
  );
}

function Loaded({ assistant, above }: { assistant: Assistant; above: React.ReactNode[] }) {
  const [isDirty, setDirty] = useState(false);
  const { languages, models } = useCatalogue();
  return (
    <>
      <PageHeader
        title={assistant.name}
        above={above}
        text={[
          texts.options.type[assistant.type],
          nameOf(languages, assistant.language_id),
          nameOf(models, assistant.llm_model_id),
        ]
          .filter((name) => name !== '')
          .join(' · ')}
        actions={<Actions assistant={assistant} />}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <AssistantEditor assistant={assistant} onDirty={setDirty} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Box style={STICKY}>
            <TryIt assistant={assistant} isDirty={isDirty} />
          </Box>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Actions({ assistant }: { assistant: Assistant }) {
  const { can } = useSession();
  const navigate = useNavigate();
  const removal = useRemoval();
  const duplicate = async (): Promise<void> => {
    try {
      const body = copyOf(assistant, texts.copyName(assistant.name).slice(0, 255));
      const { data } = await api.POST('/user/assistant', { body });
      void queryClient.invalidateQueries();
      notifyDone(texts.duplicated(texts.copyName(assistant.name)));
      if (data) await navigate({ to: '/assistants/$id', params: { id: String(data.data.id) } });
    } catch (error) {
      notifyFailed(texts.failed.duplicate, error);
    }
  };
  const { title, text } = texts.deleteQuestion;
  const remove = (): Promise<void> =>
    removal({
      question: { title: title(assistant.name), text, confirm: texts.delete },
      remove: () => api.DELETE('/user/assistant/{id}', { params: { path: { id: assistant.id } } }),
      done: texts.deleted(assistant.name),
      failed: texts.failed.delete,
      list: '/assistants',
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={texts.actions}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() => void navigate({ to: '/calls', search: { assistant_id: String(assistant.id) } })}
        >
          {texts.callsOf}
        </Menu.Item>
        <Menu.Item
          onClick={() => void navigate({ to: '/widget', search: { assistant: String(assistant.id) } })}
        >
          {texts.widget}
        </Menu.Item>
        {can('write') && (
          <>
            <Menu.Item onClick={() => void duplicate()}>{texts.duplicate}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove()}>
              {texts.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
