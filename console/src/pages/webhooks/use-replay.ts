import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#console/api/client';
import { notifyDone, notifyFailed } from '#console/components/notify';
import { t } from '#console/texts';
import { wordsOf, type DeliveryDetail } from './delivery-words';

const LOOK_MS = 500;
/** A receiver has 15 s for its answer. */
const MOST_LOOKS = 40;

/** Sends a delivery again, waits for what comes of it, and tells. */
export function useReplay() {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: replay,
    onSuccess: (delivery) => {
      const { status } = delivery;
      if (status === 'dead' || status === 'cancelled')
        notifyFailed(t.webhooks.replayed[status], wordsOf(delivery));
      else notifyDone(t.webhooks.replayed[status]);
    },
    onError: (error) => notifyFailed(t.webhooks.replayFailed, error),
    onSettled: () => client.invalidateQueries({ predicate: isOfDeliveries }),
  });
  return { replay: mutate, isReplaying: isPending };
}

/** The list's queries and those of single deliveries. */
export const isOfDeliveries = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  String(queryKey[1]).startsWith('/user/webhook-deliveries');

async function replay(id: number): Promise<DeliveryDetail> {
  const params = { path: { id } };
  const begun = await api.POST('/user/webhook-deliveries/{id}/replay', { params });
  for (let looks = 1; ; looks += 1) {
    const { data } = await api.GET('/user/webhook-deliveries/{id}', { params });
    const delivery = data?.data as DeliveryDetail;
    // A failed try leaves it pending, until the next one.
    const isTried =
      delivery.status !== 'pending' || delivery.attempts_count !== begun.data?.data.attempts_count;
    if (isTried || looks >= MOST_LOOKS) return delivery;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
