import { ActionIcon, Badge, Button, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { PhoneOff } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { Elapsed } from '#console/components/elapsed';
import { EmptyState } from '#console/components/empty-state';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { NeedsScope } from '#console/components/needs-scope';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { partnerOf, toneOf } from '#console/pages/calls/call-words';
import { useHangUp } from '#console/pages/calls/use-hang-up';
import { t } from '#console/texts';
import { MOST_SHOWN, useLiveCalls, type LiveCall } from './use-live-calls';
import classes from './live-page.module.css';

export function LivePage() {
  const table = useRef<HTMLTableElement>(null);
  const { list, calls, stream } = useLiveCalls(table);
  const shown = useMemo(() => [...calls.values()].sort((a, b) => a.call.id - b.call.id), [calls]);
  const running = shown.filter(({ overAt }) => overAt === null).length;
  return (
    <>
      <PageHeader
        title={t.live.title}
        text={running === 0 ? t.live.none : `${t.live.running(running)}. ${t.live.order}`}
        actions={
          <Badge variant="dot" color={stream === 'open' ? 'teal' : 'yellow'} role="status">
            {stream === 'lost' ? t.stream.lost : stream === 'open' ? t.stream.open : t.loading}
          </Badge>
        }
      />
      {list.error && !list.data ? (
        <ErrorNote error={list.error} retry={list.refetch} />
      ) : list.data === undefined ? (
        <Stack gap={4}>
          {Array.from({ length: 6 }, (_, n) => (
            <Skeleton key={n} h={52} />
          ))}
        </Stack>
      ) : shown.length === 0 ? (
        <EmptyState
          {...t.live.empty}
          action={<LinkButton to="/campaigns">{t.live.empty.action}</LinkButton>}
        />
      ) : (
        <LiveTable calls={shown} ref={table} />
      )}
      {(list.data?.total ?? 0) > MOST_SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {t.live.tooMany(MOST_SHOWN)}
        </Text>
      )}
    </>
  );
}

function LiveTable({ calls, ref }: { calls: LiveCall[]; ref: React.Ref<HTMLTableElement> }) {
  const { columns } = t.calls;
  return (
    <Table ref={ref} className={classes.table} aria-label={t.live.title}>
      <Table.Thead c="dimmed">
        <Table.Tr>
          <Table.Th fw={500}>{columns.number}</Table.Th>
          <Table.Th fw={500}>{columns.status}</Table.Th>
          <Table.Th fw={500} visibleFrom="md">
            {columns.assistant}
          </Table.Th>
          <Table.Th fw={500} visibleFrom="xs">
            {t.live.words}
          </Table.Th>
          <Table.Th>
            <VisuallyHidden>{t.live.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {calls.map((live) => (
          <LiveRow key={live.call.id} live={live} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Drawn again only when something of its call has changed, and then only the cell that shows it. */
const LiveRow = memo(function LiveRow({ live }: { live: LiveCall }) {
  const { call, words, overAt } = live;
  const isOver = overAt !== null;
  return (
    <Table.Tr className="linked-row">
      <PartnerCell
        id={call.id}
        partner={partnerOf(call)}
        text={call.campaign_name ?? t.calls.types[call.type] ?? ''}
      />
      <StatusCell status={call.status} since={isOver ? null : (call.answered_at ?? call.created_at)} />
      <AssistantCell name={call.assistant_name} />
      <Table.Td visibleFrom="xs" className={classes.words}>
        {words.map(({ seq, role, text }) => (
          <div key={seq} className={classes.line}>
            <b>{t.call.roles[role]}</b> {text}
          </div>
        ))}
      </Table.Td>
      <ActionCell id={call.id} isOver={isOver} />
    </Table.Tr>
  );
});

const PartnerCell = memo(function PartnerCell({
  id,
  partner,
  text,
}: {
  id: number;
  partner: string;
  text: string;
}) {
  return (
    <Table.Td>
      <LinkAnchor className="row-link" to="/calls/$id" params={{ id: String(id) }} c="inherit" fz="sm">
        {partner}
      </LinkAnchor>
      <Text size="xs" c="dimmed" truncate>
        {text}
      </Text>
    </Table.Td>
  );
});

const StatusCell = memo(function StatusCell({ status, since }: { status: string; since: string | null }) {
  return (
    <Table.Td>
      <StatusBadge tone={toneOf(status)}>{t.calls.statuses[status] ?? status}</StatusBadge>
      <Text size="xs" c="dimmed" mih={18}>
        {since !== null && <Elapsed since={since} />}
      </Text>
    </Table.Td>
  );
});

const AssistantCell = memo(function AssistantCell({ name }: { name: string }) {
  return (
    <Table.Td visibleFrom="md">
      <Text size="sm" truncate>
        {name}
      </Text>
    </Table.Td>
  );
});

const ActionCell = memo(function ActionCell({ id, isOver }: { id: number; isOver: boolean }) {
  return <Table.Td ta="right">{!isOver && <HangUp callId={id} />}</Table.Td>;
});

function HangUp({ callId }: { callId: number }) {
  const { run, isRunning } = useHangUp();
  return (
    <NeedsScope scope="calls">
      {(refusal) => (
        <>
          <Button
            className="above-link"
            size="compact-sm"
            variant="default"
            visibleFrom="xs"
            loading={isRunning}
            onClick={() => run(callId)}
            {...refusal}
          >
            {t.call.hangUp}
          </Button>
          <ActionIcon
            className="above-link"
            variant="default"
            size="lg"
            hiddenFrom="xs"
            loading={isRunning}
            onClick={() => run(callId)}
            aria-label={t.call.hangUp}
            {...refusal}
          >
            <PhoneOff size={16} />
          </ActionIcon>
        </>
      )}
    </NeedsScope>
  );
}
