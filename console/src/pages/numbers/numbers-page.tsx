import { Button, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { $api, type Schemas } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { LinkButton } from '#console/components/links';
import { ListPage, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { StatusBadge } from '#console/components/status-badge';
import { formatPhone } from '#console/formats/numbers';
import { t } from '#console/texts';
import { nameOfCountry } from './countries';
import { NumberName } from './number-name';

type PhoneNumber = Schemas['PhoneNumberResponse'];

export function NumbersPage() {
  const query = $api.useQuery('get', '/user/phone-numbers/all');
  const buy = (
    <LinkButton to="/numbers/buy" size="xs" leftSection={<Plus size={14} />}>
      {t.numbers.buy}
    </LinkButton>
  );
  return (
    <ListPage
      title={t.numbers.title}
      text={t.numbers.text}
      actions={buy}
      query={query}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowsWhileLoading={3}
      empty={{ ...t.numbers.empty, action: buy }}
    />
  );
}

const { columns } = t.numbers;
const COLUMNS: Column<PhoneNumber>[] = [
  {
    key: 'number',
    header: columns.number,
    cell: ({ phone_number: number }) => <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(number)}</span>,
  },
  { key: 'name', header: columns.name, cell: (number) => <NumberName number={number} /> },
  {
    key: 'country',
    header: columns.country,
    isSecondary: true,
    cell: ({ country_code, region }) => [nameOfCountry(country_code), region].filter(Boolean).join(', '),
  },
  { key: 'type', header: columns.type, isSecondary: true, cell: ({ type_label: label }) => label },
  {
    key: 'sms',
    header: columns.sms,
    isSecondary: true,
    cell: ({ sms_capable: isAble }) => (isAble ? t.numbers.yes : t.numbers.no),
  },
  {
    key: 'status',
    header: columns.status,
    isSecondary: true,
    cell: ({ has_active_subscription: isActive }) => (
      <StatusBadge tone={isActive ? 'good' : 'bad'}>
        {isActive ? t.numbers.active : t.numbers.expired}
      </StatusBadge>
    ),
  },
  {
    key: 'since',
    header: columns.since,
    isSecondary: true,
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
  {
    key: 'release',
    header: <VisuallyHidden>{t.list.actions}</VisuallyHidden>,
    align: 'right',
    cell: (number) => <Release number={number} />,
  },
];

function Release({ number: { id, phone_number } }: { number: PhoneNumber }) {
  const client = useQueryClient();
  const number = formatPhone(phone_number);
  const release = $api.useMutation('delete', '/user/phone-numbers/{id}', {
    onSuccess: () => {
      notifyDone(t.numbers.released(number));
      return client.invalidateQueries();
    },
    onError: (error) => notifyFailed(t.numbers.releaseFailed, error),
  });
  const ask = async (): Promise<void> => {
    if (await confirm({ ...t.numbers.question(number), isDangerous: true })) {
      release.mutate({ params: { path: { id } } });
    }
  };
  return (
    <NeedsScope scope="admin">
      {(refusal) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t.numbers.releaseOf(number)}
          loading={release.isPending}
          onClick={ask}
          {...refusal}
        >
          {t.numbers.release}
        </Button>
      )}
    </NeedsScope>
  );
}
