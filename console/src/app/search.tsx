import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search as SearchIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '#console/texts';

const PRELOAD_MS = 2_000;

const load = () => import('./search-dialog');
const SearchDialog = lazy(async () => ({ default: (await load()).SearchDialog }));

/** Ctrl K and ⌘ K. Its dialog is loaded when it is opened first. */
export function Search() {
  const [isLoaded, setLoaded] = useState(false);
  const open = (): void => {
    setLoaded(true);
    void load().then(({ openSearch }) => openSearch());
  };
  useEffect(() => {
    // Whoever presses the keys types on at once.
    const timer = setTimeout(() => void load(), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        fw={400}
        leftSection={<SearchIcon size={14} />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            Ctrl K
          </Kbd>
        }
        onClick={open}
      >
        {t.shell.search}
      </Button>
      {isLoaded && (
        <Suspense>
          <SearchDialog />
        </Suspense>
      )}
    </>
  );
}
