import { ActionIcon, Badge, Button, Grid, Menu, Skeleton, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis, PhoneOff } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { api } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { Elapsed } from '#console/components/elapsed';
import { ErrorNote } from '#console/components/error-note';
import { FailedPage } from '#console/components/failed-page';
import { LinkAnchor } from '#console/components/links';
import { lazyPart } from '#console/components/lazy-part';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { CallFacts } from './call-facts';
import { describeCall, isRunning, partnerOf, toneOf, type Call } from './call-words';
import { Conversation } from './conversation';
import type { Player } from './recording';
import { offsetsOf } from './turn-times';
import { useCall } from './use-call';
import { useHangUp } from './use-hang-up';

const WAVE_HEIGHT = 56;
const Recording = lazyPart(
  'Recording',
  async () => (await import('./recording')).default,
  <Skeleton h={WAVE_HEIGHT} />,
);
const HALF_SECOND_MS = 500;

export function CallPage() {
  const { id } = useParams({ from: '/shell/calls/$id' });
  return <CallView key={id} id={Number(id)} />;
}

function CallView({ id }: { id: number }) {
  const { call, turns, stream } = useCall(id);
  const { data } = call;
  const player = useRef<Player>(null);
  const [time, setTime] = useState(-1);
  const answeredAt = data?.answered_at ?? null;
  const offsets = useMemo(
    // The API tells the whole second of it.
    () =>
      offsetsOf(
        turns.data ?? [],
        answeredAt === null ? null : parseTime(answeredAt).getTime() + HALF_SECOND_MS,
      ),
    [turns.data, answeredAt],
  );
  const hear = useMemo(() => (seconds: number) => player.current?.hear(seconds), []);

  const above = [
    <LinkAnchor key="calls" to="/calls" size="sm">
      {t.calls.title}
    </LinkAnchor>,
  ];
  if (call.error && !data) return <FailedPage title={t.calls.title} above={above} query={call} />;
  if (!data) {
    return (
      <>
        <PageHeader title={t.call.title('…')} above={above} text={<Skeleton h={14} w={420} mt={4} />} />
        <Conversation turns={undefined} offsets={[]} isLive={false} current={-1} hear={null} />
      </>
    );
  }
  const recording = data.recording_url;
  const current = recording === undefined ? -1 : turnAt(offsets, time);
  return (
    <>
      <PageHeader
        title={partnerOf(data)}
        above={above}
        text={<Sentence call={data} />}
        actions={<Actions call={data} isLost={stream === 'lost'} />}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          {recording !== undefined && (
            <div style={{ minHeight: WAVE_HEIGHT, marginBottom: 12 }}>
              <Recording url={recording} onTime={setTime} ref={player} />
            </div>
          )}
          {turns.error && !turns.data ? (
            <ErrorNote error={turns.error} retry={turns.refetch} />
          ) : (
            <Conversation
              turns={turns.data}
              offsets={offsets}
              isLive={isRunning(data)}
              current={current}
              hear={recording === undefined ? null : hear}
            />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <CallFacts call={data} turns={turns.data ?? []} />
        </Grid.Col>
      </Grid>
    </>
  );
}

function Sentence({ call }: { call: Call }) {
  return (
    <Text c="var(--mantine-color-text)" role={isRunning(call) ? 'status' : undefined}>
      {describeCall(call)}
    </Text>
  );
}

function Actions({ call, isLost }: { call: Call; isLost: boolean }) {
  const { can } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const runs = isRunning(call);
  const hangUp = useHangUp();
  const remove = async (): Promise<void> => {
    if (!(await confirm({ ...t.call.deleteQuestion, isDangerous: true }))) return;
    try {
      await api.DELETE('/user/calls/{id}', { params: { path: { id: call.id } } });
      notifyDone(t.call.deleted);
      await client.invalidateQueries({ queryKey: ['get', '/user/calls'] });
      await navigate({ to: '/calls' });
    } catch (error) {
      notifyFailed(t.call.deleteFailed, error);
    }
  };
  return (
    <>
      {runs && isLost && (
        <Text size="sm" c="dimmed" role="status">
          {t.stream.lost}
        </Text>
      )}
      {runs ? (
        <Badge variant="dot" color="indigo" size="lg">
          {t.calls.statuses[call.status]} <Elapsed since={call.answered_at ?? call.created_at} />
        </Badge>
      ) : (
        <StatusBadge tone={toneOf(call.status)}>{t.calls.statuses[call.status] ?? call.status}</StatusBadge>
      )}
      {runs && (
        <NeedsScope scope="calls">
          {(refusal) => (
            <Button
              size="xs"
              color="red.9"
              leftSection={<PhoneOff size={14} />}
              loading={hangUp.isRunning}
              onClick={() => hangUp.run(call.id)}
              {...refusal}
            >
              {t.call.hangUp}
            </Button>
          )}
        </NeedsScope>
      )}
      {!runs && can('calls') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={t.call.more}>
              <Ellipsis size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item c="var(--mantine-color-error)" onClick={remove}>
              {t.call.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** The turn that began last; -1: none. A filler may be stored behind the turn that follows it. */
function turnAt(offsets: readonly (number | null)[], time: number): number {
  const begun = offsets.map((at) => (at !== null && at <= time ? at : -1));
  const latest = Math.max(...begun);
  return latest < 0 ? -1 : begun.indexOf(latest);
}
