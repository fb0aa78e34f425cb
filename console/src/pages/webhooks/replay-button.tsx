import { Button } from '@mantine/core';
import { NeedsScope } from '#console/components/needs-scope';
import { t } from '#console/texts';
import { eventOf, isOnItsWay, type Delivery } from './delivery-words';
import { useReplay } from './use-replay';

export function ReplayButton({ delivery, size = 'compact-sm' }: { delivery: Delivery; size?: string }) {
  const { replay, isReplaying } = useReplay();
  return (
    <NeedsScope scope="write">
      {(refusal) => (
        <Button
          className="above-link"
          size={size}
          variant="default"
          aria-label={t.webhooks.replayOf(eventOf(delivery), delivery.id)}
          onClick={() => replay(delivery.id)}
          loading={isReplaying}
          disabled={isOnItsWay(delivery) && !isReplaying}
          {...refusal}
        >
          {t.webhooks.replay}
        </Button>
      )}
    </NeedsScope>
  );
}
