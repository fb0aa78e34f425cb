import { Button, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { KeyRound, RotateCw, Send } from 'lucide-react';
import { $api } from '#console/api/client';
import { lazyDialog } from '#console/components/lazy-part';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { FilterSelect, FilterText, optionsOf } from '#console/components/search-filters';
import { StatusBadge } from '#console/components/status-badge';
import { formatCount } from '#console/formats/numbers';
import type { Scope } from '#console/session/session';
import { t } from '#console/texts';
import { eventOf, statusOf, toneOf, useAssistantName, type Delivery } from './delivery-words';
import { LastFailures } from './last-failures';
import { useFailingWebhooks } from './use-failing-webhooks';

const ReplayFailed = lazyDialog('ReplayFailed', async () => (await import('./replay-failed')).default);
const SendTest = lazyDialog('SendTest', async () => (await import('./send-test')).default);
const SigningSecret = lazyDialog('SigningSecret', async () => (await import('./signing-secret')).default);

/** While one is on its way, so often. */
const LOOK_MS = 5_000;
const FAILURES_SHOWN = 3;

export function WebhooksPage() {
  const search = useSearch({ from: '/shell/webhooks' });
  const { page: _page, per_page: _size, ...filters } = search;
  const query = $api.useQuery(
    'get',
    '/user/webhook-deliveries',
    { params: { query: search as never } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'pending') ? LOOK_MS : false,
    },
  );
  const dead = $api.useQuery('get', '/user/webhook-deliveries', {
    params: { query: { status: 'dead', per_page: FAILURES_SHOWN } },
  }).data;
  const failing = useFailingWebhooks();
  const failures = [...failing, ...(dead?.data ?? [])].slice(0, FAILURES_SHOWN);
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <ListPage
      title={t.webhooks.title}
      text={summaryOf(query.data?.total, dead?.total, failing.length)}
      before={
        <>
          <LastFailures deliveries={failures} />
          <Title order={2} size="h4" mb={4}>
            {t.webhooks.log}
          </Title>
        </>
      }
      actions={<Actions hasFailures={(dead?.total ?? 0) > 0} />}
      query={query}
      columns={useColumns()}
      rowKey={({ id }) => id}
      filters={<Filters />}
      hasFilters={hasFilters}
      empty={{
        ...t.webhooks.empty,
        action: <LinkButton to="/assistants">{t.webhooks.empty.action}</LinkButton>,
      }}
    />
  );
}

/** A place is kept for it while it is read, and where there is nothing to tell. */
function summaryOf(all: number | undefined, dead: number | undefined, failing: number): string {
  if (dead === undefined || all === 0) return '\u00a0';
  return dead === 0 && failing > 0 ? t.webhooks.failingNow : t.webhooks.failed(dead, formatCount(dead));
}

function useColumns(): Column<Delivery>[] {
  const nameOf = useAssistantName();
  const { columns } = t.webhooks;
  return [
    {
      key: 'event',
      header: columns.event,
      cell: (delivery) => (
        <LinkAnchor
          className="row-link"
          to="/webhooks/$id"
          params={{ id: String(delivery.id) }}
          c="inherit"
          fz="sm"
        >
          {eventOf(delivery)}
        </LinkAnchor>
      ),
    },
    { key: 'for', header: columns.for, cell: (delivery) => <Cause delivery={delivery} /> },
    {
      key: 'assistant',
      header: columns.assistant,
      isSecondary: true,
      cell: ({ assistant_id: id }) => nameOf(id),
    },
    {
      key: 'status',
      header: columns.status,
      cell: (delivery) => <StatusBadge tone={toneOf(delivery)}>{statusOf(delivery)}</StatusBadge>,
    },
    {
      key: 'tries',
      header: columns.tries,
      align: 'right',
      isSecondary: true,
      cell: ({ attempts_count: tries }) => tries,
    },
    {
      key: 'created',
      header: columns.created,
      align: 'right',
      isSecondary: true,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
  ];
}

function Cause({ delivery: { call_id: callId, test } }: { delivery: Delivery }) {
  if (test) return t.webhooks.test;
  if (callId === null) return '–';
  return (
    <LinkAnchor className="above-link" to="/calls/$id" params={{ id: String(callId) }} fz="sm">
      {t.webhooks.call(callId)}
    </LinkAnchor>
  );
}

function Filters() {
  const { filters, statuses, channels } = t.webhooks;
  return (
    <>
      <FilterSelect name="status" label={filters.status} data={optionsOf(statuses)} />
      <FilterSelect name="channel" label={filters.channel} data={optionsOf(channels)} />
      <FilterText name="call_id" label={filters.call} placeholder={filters.callHint} w={100} />
    </>
  );
}

function Actions({ hasFailures }: { hasFailures: boolean }) {
  const [isReplaying, replaying] = useDisclosure(false);
  const [isTesting, testing] = useDisclosure(false);
  const [isSecretOpen, secret] = useDisclosure(false);
  const button = (scope: Scope, label: string, Icon: typeof Send, open: () => void) => (
    <NeedsScope scope={scope}>
      {(refusal) => (
        <Button size="xs" variant="default" leftSection={<Icon size={14} />} onClick={open} {...refusal}>
          {label}
        </Button>
      )}
    </NeedsScope>
  );
  return (
    <>
      {button('admin', t.webhooks.secret.action, KeyRound, secret.open)}
      {button('write', t.webhooks.sendTest.action, Send, testing.open)}
      {hasFailures && button('write', t.webhooks.replayAll.action, RotateCw, replaying.open)}
      {isReplaying && <ReplayFailed close={replaying.close} />}
      {isTesting && <SendTest close={testing.close} />}
      {isSecretOpen && <SigningSecret close={secret.close} />}
    </>
  );
}
