import { ErrorNote } from './error-note';
import { PageHeader, type PageHeaderProps } from './page-header';

interface FailedPageProps extends Pick<PageHeaderProps, 'title' | 'above'> {
  query: { error: unknown; refetch: () => unknown };
}

/** In place of a page about one thing that could not be read. */
export function FailedPage({ query, ...header }: FailedPageProps) {
  return (
    <>
      <PageHeader {...header} />
      <ErrorNote error={query.error} retry={query.refetch} />
    </>
  );
}
