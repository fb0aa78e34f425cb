import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, messageOf } from '#console/api/api-error';
import { t } from '#console/texts';

/** Messages of the API end with or without a full stop. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What went wrong, in the service's own words, and what to do. */
export function ErrorNote({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const status = error instanceof ApiError ? error.status : null;
  const details = error instanceof ApiError ? Object.values(error.errors).flat().join(' ') : '';
  const advice =
    status === 403
      ? t.errors.scope
      : status === 404
        ? t.errors.gone
        : status === 0
          ? t.errors.connection
          : null;
  return (
    <Alert color="red" role="alert" title={t.errors.title}>
      <Group justify="space-between">
        <Text size="sm">
          {sentence(messageOf(error))} {details} {advice}
        </Text>
        {retry && status !== 403 && status !== 404 && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t.errors.retry}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
