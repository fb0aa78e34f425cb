import { Badge, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { $api, type Schemas } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { lazyDialog } from '#console/components/lazy-part';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { StatusBadge } from '#console/components/status-badge';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

type ApiKey = Schemas['ApiKeyResponse'];

const EditApiKey = lazyDialog('EditApiKey', async () => (await import('./edit-api-key')).default);

export function ApiKeysPage() {
  const { can } = useSession();
  if (can('admin')) return <ApiKeys />;
  return <PageHeader title={t.apiKeys.title} text={t.needsScope('admin')} />;
}

function ApiKeys() {
  const query = $api.useQuery('get', '/user/api-keys');
  const unused = query.data?.api_keys.filter(({ unused_since: since }) => since !== null).length ?? 0;
  const create = (
    <LinkButton to="/api-keys/new" size="xs" leftSection={<KeyRound size={14} />}>
      {t.apiKeys.create}
    </LinkButton>
  );
  return (
    <ListPage
      title={t.apiKeys.title}
      text={unused === 0 ? t.apiKeys.text : `${t.apiKeys.text} ${t.apiKeys.unusedKeys(unused)}`}
      actions={query.error ? undefined : create}
      query={{ ...query, data: query.data && { data: query.data.api_keys } }}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowsWhileLoading={4}
      empty={{ ...t.apiKeys.empty, action: create }}
    />
  );
}

const COLUMNS: Column<ApiKey>[] = [
  {
    key: 'name',
    header: t.apiKeys.columns.name,
    cell: ({ name, unused_since: since }) => (
      <Group gap={6}>
        {name}
        {since !== null && <StatusBadge tone="waiting">{t.apiKeys.unused}</StatusBadge>}
      </Group>
    ),
  },
  {
    key: 'scopes',
    header: t.apiKeys.columns.scopes,
    cell: ({ scopes }) => (
      <Group gap={4}>
        {(scopes.includes('admin') ? (['admin'] as const) : scopes).map((scope) => (
          <Badge key={scope} variant="default" size="sm" title={t.apiKeys.scopes[scope]}>
            {scope}
          </Badge>
        ))}
      </Group>
    ),
  },
  {
    key: 'addresses',
    header: t.apiKeys.columns.addresses,
    isSecondary: true,
    cell: ({ allowed_addresses: ranges }) => (
      <span title={ranges.join(', ')}>{t.apiKeys.addresses(ranges)}</span>
    ),
  },
  {
    key: 'spent',
    header: t.apiKeys.columns.spent,
    isSecondary: true,
    cell: (key) => <Spending apiKey={key} />,
  },
  { key: 'used', header: t.apiKeys.columns.used, isSecondary: true, cell: (key) => <LastUse apiKey={key} /> },
  {
    key: 'expires',
    header: t.apiKeys.columns.expires,
    isSecondary: true,
    cell: ({ expires_at: at }) => <Expiry at={at} />,
  },
  {
    key: 'created',
    header: t.apiKeys.columns.created,
    isSecondary: true,
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
  {
    key: 'revoke',
    header: <VisuallyHidden>{t.list.actions}</VisuallyHidden>,
    align: 'right',
    cell: (key) => (
      <Group gap={6} justify="flex-end" wrap="nowrap">
        <Edit apiKey={key} />
        <Revoke apiKey={key} />
      </Group>
    ),
  },
];

/** In this hour, and how much it may. */
function Spending({ apiKey: { spend_limit_per_hour: limit, spent_this_hour: spent } }: { apiKey: ApiKey }) {
  const { money } = useSession();
  return limit === null ? money(spent) : t.spendLimit.spent(money(spent), money(limit));
}

const isPast = (at: string): boolean => parseTime(at).getTime() <= Date.now();

function Expiry({ at }: { at: string | null }) {
  if (at === null) return t.apiKeys.neverExpires;
  if (!isPast(at)) return <Moment at={at} />;
  return (
    <Text c="var(--mantine-color-error)" size="sm" component="span">
      {t.apiKeys.expired} <Moment at={at} />
    </Text>
  );
}

/** When, from where, and what it did then. */
function LastUse({ apiKey: { id, last_used_at: at, last_used_address: address } }: { apiKey: ApiKey }) {
  if (at === null) return t.apiKeys.neverUsed;
  return (
    <Stack gap={0} align="flex-start">
      <LinkAnchor to="/audit-log" search={{ key_id: String(id) }} c="inherit" fz="sm" title={t.apiKeys.log}>
        <Moment at={at} />
      </LinkAnchor>
      {address !== null && (
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      )}
    </Stack>
  );
}

function Edit({ apiKey }: { apiKey: ApiKey }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t.apiKeys.edit.of(apiKey.name)} onClick={open}>
        {t.apiKeys.edit.action}
      </Button>
      {isOpen && <EditApiKey apiKey={apiKey} close={close} />}
    </>
  );
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const client = useQueryClient();
  const revoke = $api.useMutation('delete', '/user/api-keys/{id}', {
    onSuccess: () => {
      notifyDone(t.apiKeys.revoked(name));
      return client.invalidateQueries({ queryKey: ['get', '/user/api-keys'] });
    },
    onError: (error) => notifyFailed(t.apiKeys.revokeFailed, error),
  });
  const ask = async (): Promise<void> => {
    if (await confirm({ ...t.apiKeys.question(name), isDangerous: true })) {
      revoke.mutate({ params: { path: { id } } });
    }
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t.apiKeys.revokeOf(name)}
      loading={revoke.isPending}
      onClick={ask}
    >
      {t.apiKeys.revoke}
    </Button>
  );
}
