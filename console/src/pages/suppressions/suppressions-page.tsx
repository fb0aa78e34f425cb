import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import { $api, api, type Schemas } from '#console/api/client';
import { confirm } from '#console/components/confirm';
import { ListPage, type Column, type ListData } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { FilterText } from '#console/components/search-filters';
import { formatPhone } from '#console/formats/numbers';
import { t } from '#console/texts';
import { AddSuppression } from './add-suppression';
import { ImportSuppressions } from './import-suppressions';

type Suppression = Schemas['SuppressionResponse'];

export function SuppressionsPage() {
  const { page = 1, per_page, phone_number } = useSearch({ from: '/shell/suppressions' });
  // With a page the answer is one, without it a bare list.
  const query = $api.useQuery(
    'get',
    '/user/suppressions',
    { params: { query: { page, per_page, phone_number } } },
    { placeholderData: keepPreviousData },
  );
  const [isAdding, adding] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const addButton = (
    <NeedsScope scope="write">
      {(refusal) => (
        <Button size="xs" leftSection={<Plus size={14} />} onClick={adding.open} {...refusal}>
          {t.suppressions.add}
        </Button>
      )}
    </NeedsScope>
  );
  return (
    <>
      <ListPage
        title={t.suppressions.title}
        text={t.suppressions.text}
        actions={
          <>
            <NeedsScope scope="write">
              {(refusal) => (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<FileUp size={14} />}
                  onClick={importing.open}
                  {...refusal}
                >
                  {t.suppressions.import.action}
                </Button>
              )}
            </NeedsScope>
            {addButton}
          </>
        }
        query={{ ...query, data: query.data as ListData<Suppression> | undefined }}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        filters={<FilterText name="phone_number" label={t.suppressions.number} placeholder="+1 500 555 …" />}
        hasFilters={phone_number !== undefined}
        empty={{ ...t.suppressions.empty, action: addButton }}
      />
      {isAdding && <AddSuppression close={adding.close} />}
      {isImporting && <ImportSuppressions close={importing.close} />}
    </>
  );
}

const COLUMNS: Column<Suppression>[] = [
  {
    key: 'number',
    header: t.suppressions.columns.number,
    cell: ({ phone_number: number }) => formatPhone(number),
  },
  {
    key: 'reason',
    header: t.suppressions.columns.reason,
    isSecondary: true,
    cell: ({ reason }) => reason ?? '–',
  },
  {
    key: 'source',
    header: t.suppressions.columns.source,
    cell: ({ source }) => t.suppressions.sources[source] ?? source,
  },
  {
    key: 'created',
    header: t.suppressions.columns.created,
    isSecondary: true,
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
  {
    key: 'remove',
    header: <VisuallyHidden>{t.list.actions}</VisuallyHidden>,
    align: 'right',
    cell: (row) => <Remove suppression={row} />,
  },
];

function Remove({ suppression: { id, phone_number, reason } }: { suppression: Suppression }) {
  const client = useQueryClient();
  const number = formatPhone(phone_number);
  const remove = $api.useMutation('delete', '/user/suppressions/{id}', {
    onSuccess: () => {
      notifyDone(t.suppressions.removed(number), () =>
        api.POST('/user/suppressions', { body: { phone_number, reason } }),
      );
      return client.invalidateQueries({ queryKey: ['get', '/user/suppressions'] });
    },
    onError: (error) => notifyFailed(t.suppressions.removeFailed, error),
  });
  const ask = async (): Promise<void> => {
    if (await confirm({ ...t.suppressions.question(number), isDangerous: true })) {
      remove.mutate({ params: { path: { id } } });
    }
  };
  return (
    <NeedsScope scope="write">
      {(refusal) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t.suppressions.removeOf(number)}
          loading={remove.isPending}
          onClick={ask}
          {...refusal}
        >
          {t.suppressions.remove}
        </Button>
      )}
    </NeedsScope>
  );
}
