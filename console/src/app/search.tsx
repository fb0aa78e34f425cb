import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search as SearchIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadPart } from '#console/api/load-code';
import { notifyFailed } from '#console/components/notify';
import { t } from '#console/texts';

const PRELOAD_MS = 2_000;

const load = () => loadPart(() => import('./search-dialog'));
const SearchDialog = lazy(async () => ({ default: (await load()).SearchDialog }));

/** Ctrl K and ⌘ K. Its dialog is loaded when it is opened first. */
export function Search() {
  const [isLoaded, setLoaded] = useState(false);
  const open = (): void =>
    void load().then(
      ({ openSearch }) => {
        setLoaded(true);
        openSearch();
      },
      (error: unknown) => notifyFailed(t.shell.searchFailed, error),
    );
  useEffect(() => {
    // Whoever presses the keys types on at once.
    const timer = setTimeout(() => void load().catch(() => {}), PRELOAD_MS);
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
