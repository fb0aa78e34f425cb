import { Button, Grid, Group, Skeleton, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { confirm } from '#console/components/confirm';
import { Facts, Section, type Fact } from '#console/components/facts';
import { FailedPage } from '#console/components/failed-page';
import { JsonView } from '#console/components/json-view';
import { LinkAnchor } from '#console/components/links';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { partnerOf, stateOf, type Conversation } from './conversation-words';
import { Transcript } from './transcript';

/** Of a conversation that goes on. */
const LOOK_MS = 3_000;
const ABOVE = [
  <LinkAnchor key="conversations" to="/conversations" size="sm">
    {t.conversations.title}
  </LinkAnchor>,
];

export function ConversationPage() {
  const { id: uuid } = useParams({ from: '/shell/conversations/$id' });
  const params = { path: { uuid } };
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/user/conversations/{uuid}',
    { params },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'active' ? LOOK_MS : false) },
  );
  const chat = data?.data;
  const shown = $api.useQuery(
    'get',
    '/conversations/{uuid}',
    { params },
    { refetchInterval: chat?.status === 'active' ? LOOK_MS : false },
  );
  if (error && !data) {
    return <FailedPage title={t.conversations.title} above={ABOVE} query={{ error, refetch }} />;
  }
  return (
    <>
      <PageHeader
        title={chat ? partnerOf(chat) : '…'}
        above={ABOVE}
        text={chat ? sentenceOf(chat) : <Skeleton h={14} w={260} mt={4} />}
        actions={chat && <Actions chat={chat} />}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          {shown.error && !shown.data ? (
            <ErrorNote error={shown.error} retry={shown.refetch} />
          ) : (
            <Transcript messages={shown.data?.history} isLive={chat?.status === 'active'} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          {chat ? <ChatFacts chat={chat} /> : <Skeleton h={240} />}
        </Grid.Col>
      </Grid>
    </>
  );
}

function sentenceOf({ status, ai_enabled: isOn }: Conversation): string {
  const { sentence } = t.conversations;
  return status === 'ended' ? sentence.ended : isOn ? sentence.on : sentence.off;
}

function Actions({ chat }: { chat: Conversation }) {
  const { tone, label } = stateOf(chat);
  const client = useQueryClient();
  const callbacks = (done: string) => ({
    onSuccess: () => {
      notifyDone(done);
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/user/conversations'),
      });
    },
    onError: (error: unknown) => notifyFailed(t.conversations.turnFailed, error),
  });
  const turnOn = $api.useMutation(
    'post',
    '/automate/conversations/{uuid}/enable-ai',
    callbacks(t.conversations.turnedOn),
  );
  const turnOff = $api.useMutation(
    'post',
    '/automate/conversations/{uuid}/disable-ai',
    callbacks(t.conversations.turnedOff),
  );
  const end = $api.useMutation('post', '/user/conversations/{uuid}/end', {
    ...callbacks(t.conversations.end.done),
    onError: (error) => notifyFailed(t.conversations.end.failed, error),
  });
  const change = chat.ai_enabled ? turnOff : turnOn;
  const params = { path: { uuid: chat.id } };
  const askToEnd = async (): Promise<void> => {
    if (await confirm({ ...t.conversations.end.question, isDangerous: true })) end.mutate({ params });
  };
  return (
    <>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {chat.status === 'active' && (
        <NeedsScope scope="messages">
          {(refusal) => (
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                loading={turnOn.isPending || turnOff.isPending}
                onClick={() => change.mutate({ params })}
                {...refusal}
              >
                {chat.ai_enabled ? t.conversations.turnOff : t.conversations.turnOn}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={end.isPending}
                onClick={() => void askToEnd()}
                {...refusal}
              >
                {t.conversations.end.action}
              </Button>
            </Group>
          )}
        </NeedsScope>
      )}
    </>
  );
}

function ChatFacts({ chat }: { chat: Conversation }) {
  const { money } = useSession();
  const texts = t.conversations;
  const rows: Fact[] = [
    [texts.assistant, chat.assistant_name],
    [texts.type, texts.types[chat.type] ?? chat.type],
    ...(chat.external_identifier === null ? [] : [[texts.customer, chat.external_identifier] as Fact]),
    [texts.cost, money(chat.total_cost)],
    [texts.began, <Moment key="began" at={chat.created_at} />],
  ];
  return (
    <Stack>
      <Section title={texts.facts}>
        <Facts rows={rows} />
      </Section>
      {chat.evaluation !== null && <Json title={texts.evaluation} value={chat.evaluation} />}
      {Object.keys(chat.variables).length > 0 && <Json title={texts.variables} value={chat.variables} />}
    </Stack>
  );
}

const Json = ({ title, value }: { title: string; value: unknown }) => (
  <Section title={title}>
    <JsonView value={value} label={title} />
  </Section>
);
