import { Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { ApiError, messageOf } from '#console/api/api-error';
import { t } from '#console/texts';
import type { FileUpload } from './use-uploads';

const texts = t.knowledge.uploads;

interface UploadsProps {
  uploads: FileUpload[];
  retry: (upload: FileUpload) => void;
  remove: (key: string) => void;
}

export function Uploads({ uploads, retry, remove }: UploadsProps) {
  if (uploads.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={texts.title}>
      {uploads.map((upload) => (
        <OneUpload key={upload.key} upload={upload} retry={retry} remove={remove} />
      ))}
    </Stack>
  );
}

function OneUpload({
  upload,
  retry,
  remove,
}: Pick<UploadsProps, 'retry' | 'remove'> & { upload: FileUpload }) {
  const { key, file, sent, error, isFinal } = upload;
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate>
          {file.name}
        </Text>
        {error === null ? (
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {stateOf(sent)}
          </Text>
        ) : (
          <Group gap={4} wrap="nowrap">
            {!isFinal && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={texts.retryOf(file.name)}
                onClick={() => retry(upload)}
              >
                {texts.retry}
              </Button>
            )}
            <CloseButton size="sm" aria-label={texts.dismiss(file.name)} onClick={() => remove(key)} />
          </Group>
        )}
      </Group>
      {error === null ? (
        <Progress.Root size="sm">
          <Progress.Section
            value={percentOf(sent)}
            animated={sent === 1}
            aria-label={texts.progressOf(file.name)}
          />
        </Progress.Root>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {wordsOf(error)}
        </Text>
      )}
    </div>
  );
}

const percentOf = (sent: number | null): number => Math.round((sent ?? 0) * 100);

function stateOf(sent: number | null): string {
  if (sent === null) return texts.waiting;
  return sent === 1 ? texts.stored : texts.sent(percentOf(sent));
}

/** What is wrong with the file; else the message. */
const wordsOf = (error: unknown): string =>
  (error instanceof ApiError && Object.values(error.errors).flat().join(' ')) || messageOf(error);
