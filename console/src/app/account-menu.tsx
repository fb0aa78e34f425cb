import {
  Badge,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Text,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { $api } from '#console/api/client';
import { SERVICE_PATH } from '#console/api/place';
import { keyStore } from '#console/session/key-store';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';

const BALANCE_MS = 30_000;

/** Who is signed in, with which balance, in which zone; and what may be changed about that. */
export function AccountMenu() {
  const { facts, money, times } = useSession();
  const { data } = $api.useQuery('get', '/user/me', undefined, { refetchInterval: BALANCE_MS });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="sm" wrap="nowrap">
      {facts.carrier.sandbox && (
        <Tooltip label={t.shell.sandboxHelp}>
          <Badge variant="outline" color="gray" visibleFrom="sm" c="var(--mantine-color-text)" tabIndex={0}>
            {t.shell.sandbox}
          </Badge>
        </Tooltip>
      )}
      <Tooltip label={t.shell.zone(times.zone)}>
        <Text size="sm" c="dimmed" visibleFrom="md" tabIndex={0}>
          {times.zone}
        </Text>
      </Tooltip>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            miw={90}
            rightSection={<ChevronDown size={14} />}
            aria-label={`${t.shell.account}, ${t.shell.balance} ${data ? money(data.total_balance) : ''}`}
          >
            {data ? money(data.total_balance) : '…'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {data?.name} · {data?.email}
          </Menu.Label>
          <Menu.Label>{t.shell.scopes(facts.scopes.join(', '))}</Menu.Label>
          <Menu.Label>{t.shell.zone(times.zone)}</Menu.Label>
          <Menu.Divider />
          <Menu.Label>{t.shell.scheme}</Menu.Label>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t.shell.scheme}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={[
              { value: 'light', label: t.shell.light },
              { value: 'dark', label: t.shell.dark },
              { value: 'auto', label: t.shell.system },
            ]}
          />
          <Menu.Divider />
          {facts.features.docs && (
            <Menu.Item component="a" href={`${SERVICE_PATH}/docs`} target="_blank" rel="noreferrer">
              {t.shell.docs}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => keyStore.signOut()}>{t.shell.signOut}</Menu.Item>
          <Menu.Label>{t.shell.version(facts.version)}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
