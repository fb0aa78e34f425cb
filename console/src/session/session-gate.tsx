import { Center, Loader, Modal } from '@mantine/core';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { $api } from '#console/api/client';
import { isStatus } from '#console/api/api-error';
import { queryClient } from '#console/api/query-client';
import { ErrorNote } from '#console/components/error-note';
import { t } from '#console/texts';
import { keyStore } from './key-store';
import { SessionProvider } from './session';
import { SignInForm, SignInPage } from './sign-in';

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

  if (key === null || (isRefused && !data)) return <SignInPage />;
  if (!data && isStatus(error, 403)) return <SignInPage problem={t.signIn.cannotRead} />;
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
      <Modal
        opened={isRefused}
        onClose={() => keyStore.signOut()}
        title={t.signIn.title}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
        zIndex={1000}
      >
        <SignInForm reason={t.signIn.refused} />
      </Modal>
    </SessionProvider>
  );
}
