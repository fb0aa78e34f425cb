import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { $api } from '#console/api/client';
import { lazyDialog } from '#console/components/lazy-part';
import { MetricTile } from '#console/components/metric-tile';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const EditSpendLimit = lazyDialog('EditSpendLimit', async () => (await import('./edit-spend-limit')).default);

/** What the account has spent in this hour, and its limit. */
export function HourlySpending() {
  const { money, can } = useSession();
  const { data } = $api.useQuery('get', '/user/spend-limit');
  const [isOpen, { open, close }] = useDisclosure(false);
  const limit = data?.data.spend_limit_per_hour ?? null;
  const { tile, tileLimit, tileNote, edit } = t.spendLimit;
  return (
    <Group gap="sm" align="center">
      <MetricTile
        label={tile}
        value={data && money(data.data.spent_this_hour)}
        note={limit === null ? tileNote : tileLimit(money(limit))}
      />
      {data && can('admin') && (
        <Button size="compact-sm" variant="default" onClick={open}>
          {edit}
        </Button>
      )}
      {isOpen && <EditSpendLimit limit={limit} close={close} />}
    </Group>
  );
}
