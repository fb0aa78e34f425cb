import { Center, Loader } from '@mantine/core';
import { lazy, Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { $api } from '#console/api/client';
import { isStatus } from '#console/api/api-error';
import { queryClient } from '#console/api/query-client';
import { ErrorNote } from '#console/components/error-note';
import { t } from '#console/texts';
import { keyStore } from './key-store';
import { SessionProvider } from './session';

const SignInPage = lazy(async () => ({ default: (await import('./sign-in')).SignInPage }));
const SignInDialog = lazy(async () => ({ default: (await import('./sign-in-dialog')).SignInDialog }));

/**
 * Shows `children` to who has a key that the API knows. When it is refused later, a dialog asks for another one over the
 * page: what was typed stays.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const { key, isRefused } = useSyncExternalStore(keyStore.subscribe, keyStore.get);
  const { data, error, refetch } = $api.useQuery('get', '/user/console', undefined, {
    enabled: key !== null && !isRefused,
    staleTime: Infinity,
  });
  useEffect(() => {
    // The pages' failed requests are made again with the new key.
    if (key !== null && !isRefused) void queryClient.invalidateQueries();
    if (key === null) queryClient.clear();
  }, [key, isRefused]);

  const isUnknown = key === null || (isRefused && !data);
  if (isUnknown || (!data && isStatus(error, 403))) {
    return (
      <Suspense>
        <SignInPage problem={isUnknown ? null : t.signIn.cannotRead} />
      </Suspense>
    );
  }
  if (!data) {
    return (
      <Center h="100vh">
        {error && !isStatus(error, 401) ? (
          <ErrorNote error={error} retry={refetch} />
        ) : (
          <Loader aria-label={t.loading} />
        )}
      </Center>
    );
  }
  return (
    <SessionProvider facts={data.data}>
      {children}
      {isRefused && (
        <Suspense>
          <SignInDialog />
        </Suspense>
      )}
    </SessionProvider>
  );
}
