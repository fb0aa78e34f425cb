import { Modal } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { ApiError } from '#console/api/api-error';
import { loadPart } from '#console/api/load-code';
import { t } from '#console/texts';
import { ErrorNote } from './error-note';

/**
 * A part of a page, loaded when it is first shown. Where that fails, its place says so, and the rest of the page stays.
 *
 * @param name its own among all parts
 * @param load imports its module
 * @param waiting in its place until it is loaded
 */
export function lazyPart<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  const code = codeOf(name, load);
  return function Part(props: P) {
    const { data: Loaded, error, refetch } = useQuery(code);
    if (Loaded) return <Loaded {...props} />;
    return error ? failed(error, refetch) : waiting;
  };
}

/** As `lazyPart`, of a dialog. */
export function lazyDialog<P extends { close: () => void }>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const code = codeOf(name, load);
  return function Dialog(props: P) {
    const { data: Loaded, error, refetch } = useQuery(code);
    if (Loaded) return <Loaded {...props} />;
    return (
      <Modal opened={error !== null} onClose={props.close} attributes={UNTITLED}>
        {error && failed(error, refetch)}
      </Modal>
    );
  };
}

/** The note in it has the title. */
const UNTITLED = { header: { role: 'presentation' }, content: { 'aria-label': t.errors.title } };

const codeOf = <P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): UseQueryOptions<ComponentType<P>> => ({
  queryKey: ['code', name],
  queryFn: () => loadPart(load),
  staleTime: Infinity,
  gcTime: Infinity,
  // While offline, too: then it fails, which is said.
  networkMode: 'always',
  retry: false,
});

/** A new version of the console is loaded with the whole page only. */
const failed = (error: Error, again: () => unknown): ReactElement => (
  <ErrorNote error={error} retry={error instanceof ApiError ? again : () => location.reload()} />
);
