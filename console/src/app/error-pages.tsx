import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { messageOf } from '#console/api/api-error';
import { isReachable } from '#console/api/load-code';
import { LinkButton } from '#console/components/links';
import { notifyFailed } from '#console/components/notify';
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

/** Also when a chunk cannot be loaded: the service was upgraded since, or cannot be reached. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title={t.errors.page} text={messageOf(error)} />
      <Button onClick={() => void loadAgain()}>{t.errors.reload}</Button>
    </>
  );
}

/** Not while the service cannot be reached: the browser would show its own error page, without a way back. */
async function loadAgain(): Promise<void> {
  if (await isReachable()) location.reload();
  else notifyFailed(t.errors.unreachable, t.errors.connection);
}
