import { Box, Code, Grid, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { $api, api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { CopyIcon } from '#console/components/copy-icon';
import { EmptyState } from '#console/components/empty-state';
import { ErrorNote } from '#console/components/error-note';
import { LinkButton } from '#console/components/links';
import { useSearchChange } from '#console/components/use-search-change';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { useFirst } from '#console/components/use-first';
import type { Assistant } from '#console/pages/assistants/assistant-values';
import { useCatalogue } from '#console/pages/assistants/use-catalogue';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import {
  settingsOf,
  shownOf,
  valuesOf,
  WidgetFields,
  type WidgetSettings,
  type WidgetValues,
} from './widget-form';
import { WidgetPreview } from './widget-preview';

const texts = t.widget;

export function WidgetPage() {
  const { assistant: wanted } = useSearch({ from: '/shell/widget' });
  const change = useSearchChange();
  const query = $api.useQuery('get', '/user/assistants', {});
  const assistants = query.data ?? [];
  const enabled = assistants.find(({ widget_settings }) => widget_settings['enabled'] === true);
  const first = useFirst((enabled ?? assistants[0])?.id);
  const shown =
    assistants.find(({ id }) => String(id) === wanted) ??
    assistants.find(({ id }) => id === first) ??
    assistants[0];
  return (
    <>
      <PageHeader
        title={texts.title}
        text={texts.text}
        actions={
          shown && (
            <Select
              aria-label={texts.assistant}
              w={240}
              data={assistants.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(shown.id)}
              onChange={(id) => change({ assistant: id ?? undefined })}
              allowDeselect={false}
              searchable
            />
          )
        }
      />
      {query.error && !query.data ? (
        <ErrorNote error={query.error} retry={query.refetch} />
      ) : query.data && !shown ? (
        <EmptyState
          {...texts.empty}
          action={<LinkButton to="/assistants/new">{t.assistants.create}</LinkButton>}
        />
      ) : shown ? (
        <Settings key={shown.id} assistant={shown} />
      ) : (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack>
              {Array.from({ length: 6 }, (_, n) => (
                <Skeleton key={n} h={56} />
              ))}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Skeleton h={620} />
          </Grid.Col>
        </Grid>
      )}
    </>
  );
}

function Settings({ assistant }: { assistant: Assistant }) {
  const { can, facts, money } = useSession();
  const { languages } = useCatalogue();
  const [initialValues] = useState(() => valuesOf(assistant.widget_settings));
  const [typed, setTyped] = useState<WidgetSettings>(initialValues.widget_settings);
  const save = async (_: Partial<WidgetValues>, values: WidgetValues): Promise<void> => {
    await api.PUT('/user/assistant/{id}', {
      params: { path: { id: assistant.id } },
      body: { widget_settings: settingsOf(assistant.widget_settings, values) },
    });
    notifyDone(texts.saved);
    void queryClient.invalidateQueries();
  };
  const tag = `<script src="${facts.public_url.replace(/\/+$/, '')}/embed.js" data-assistant-id="${assistant.uuid}"></script>`;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="lg">
          <State assistant={assistant} />
          <section aria-label={texts.script.title}>
            <Title order={2} size="h3">
              {texts.script.title}
            </Title>
            <Text size="sm" c="dimmed" mb={6}>
              {texts.script.text}
            </Text>
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {tag}
              </Code>
              <CopyIcon value={tag} />
            </Group>
          </section>
          <ApiForm<WidgetValues>
            initialValues={initialValues}
            save={save}
            forbidden={can('write') ? null : t.needsScope('write')}
          >
            {(form) => <Watched form={form} onChange={setTyped} />}
          </ApiForm>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Box component="section" aria-label={texts.preview.title} style={{ position: 'sticky', top: 64 }}>
          <Title order={2} size="h3">
            {texts.preview.title}
          </Title>
          <Text size="sm" c="dimmed" mb={6}>
            {texts.preview.text(money(facts.plan.price_per_minute))}
          </Text>
          <WidgetPreview
            assistantId={assistant.id}
            language={languages?.find(({ id }) => id === assistant.language_id)?.iso_2 ?? 'en'}
            settings={shownOf(typed)}
          />
        </Box>
      </Grid.Col>
    </Grid>
  );
}

/** Tells the preview what is typed. */
function Watched({
  form,
  onChange,
}: {
  form: UseFormReturnType<WidgetValues>;
  onChange: (settings: WidgetSettings) => void;
}) {
  const { widget_settings } = form.getValues();
  useEffect(() => onChange(widget_settings), [widget_settings, onChange]);
  return <WidgetFields form={form} />;
}

/** Whether a page shows it, and what is missing. */
function State({ assistant: { widget_settings, status } }: { assistant: Assistant }) {
  const { enabled, allowed_origins } = valuesOf(widget_settings).widget_settings;
  const problem = !enabled
    ? texts.state.off
    : status === 'inactive'
      ? texts.state.inactive
      : allowed_origins.length === 0
        ? texts.state.noOrigin
        : null;
  return (
    <StatusLine tone={problem === null ? 'good' : enabled ? 'waiting' : 'neutral'}>
      {problem ?? texts.state.on(allowed_origins.length)}
    </StatusLine>
  );
}

const StatusLine = ({ tone, children }: { tone: 'good' | 'waiting' | 'neutral'; children: string }) => (
  <Group gap="xs">
    <StatusBadge tone={tone}>{tone === 'good' ? t.assistants.on : t.assistants.off}</StatusBadge>
    <Text size="sm">{children}</Text>
  </Group>
);
