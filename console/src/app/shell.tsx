import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { LinkNav } from '#console/components/links';
import { SessionGate } from '#console/session/session-gate';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { AccountMenu } from './account-menu';
import { NAVIGATION } from './navigation';
import { Search } from './search';

export function Shell() {
  return (
    <SessionGate>
      <Frame />
    </SessionGate>
  );
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          // The page has a <base>: the link would leave it.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t.shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.shell.menu} />
            <Text fw={600} visibleFrom="xs" truncate>
              {t.product}
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Search />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" style={{ overflowY: 'auto' }} aria-label={t.shell.menu}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation() {
  const { can } = useSession();
  return NAVIGATION.map(({ label, items }) => (
    <div key={label}>
      <Text size="xs" c="dimmed" px="xs" pt="sm" pb={4}>
        {label}
      </Text>
      {items
        .filter(({ scope }) => can(scope))
        .map(({ to, label: name, icon: Icon }) => (
          <LinkNav
            key={to}
            to={to as '/'}
            label={name}
            leftSection={<Icon size={16} aria-hidden />}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ active: true }}
            py={5}
            style={{ borderRadius: 'var(--mantine-radius-sm)' }}
          />
        ))}
    </div>
  ));
}
