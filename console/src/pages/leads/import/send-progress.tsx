import { Progress, Stack, Text } from '@mantine/core';
import { $api } from '#console/api/client';
import { t } from '#console/texts';

const LOOK_MS = 2_000;

interface SendProgressProps {
  /** Share of the file, 0 to 1. */
  sent: number | null;
  text: string;
  /** Whose leads are counted meanwhile. */
  campaignId?: number;
}

export function SendProgress({ sent, text, campaignId }: SendProgressProps) {
  const { importing } = t.leads;
  const share = Math.round((sent ?? 0) * 100);
  const isSent = share >= 100;
  const { data } = $api.useQuery(
    'get',
    '/user/campaigns/{id}',
    { params: { path: { id: campaignId ?? 0 } } },
    { enabled: campaignId !== undefined && isSent, refetchInterval: LOOK_MS },
  );
  const stored = Object.values(data?.data.stats.leads ?? {}).reduce((sum, n) => sum + n, 0);
  return (
    <Stack gap="xs" my="lg" maw={560} role="status">
      <Progress.Root size="md">
        <Progress.Section
          value={share}
          animated={isSent}
          aria-label={isSent ? importing.reading : importing.sending(share)}
        />
      </Progress.Root>
      <Text size="sm">{isSent ? importing.reading : importing.sending(share)}</Text>
      <Text size="sm" c="dimmed">
        {text}
        {campaignId !== undefined && stored > 0 && ` ${importing.stored(stored)}.`}
      </Text>
    </Stack>
  );
}
