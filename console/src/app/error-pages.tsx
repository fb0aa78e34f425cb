import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { messageOf } from '#console/api/api-error';
import { EmptyState } from '#console/components/empty-state';
import { LinkButton } from '#console/components/links';
import { PageHeader } from '#console/components/page-header';
import { t } from '#console/texts';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title={t.errors.notFound} text={location.pathname} />
      <LinkButton to="/">{t.errors.toOverview}</LinkButton>
    </>
  );
}

/** Also when a chunk is not there any more: the service was upgraded since the page was loaded. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <EmptyState
      title={t.errors.page}
      text={messageOf(error)}
      action={<Button onClick={() => location.reload()}>{t.errors.reload}</Button>}
    />
  );
}
