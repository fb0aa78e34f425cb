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
    onSuccess: ({ delivery, isTried }) => {
      const { status } = delivery;
      const isTaken = status === 'delivered' || !isTried;
      if (isTaken) notifyDone(t.webhooks.replayed[status]);
      else notifyFailed(t.webhooks.replayed[status], wordsOf(delivery));
    },
    onError: (error) => notifyFailed(t.webhooks.replayFailed, error),
    onSettled: () => client.invalidateQueries({ predicate: isOfDeliveries }),
  });
  return { replay: mutate, isReplaying: isPending };
}

/** The list's queries and those of single deliveries. */
export const isOfDeliveries = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  String(queryKey[1]).startsWith('/user/webhook-deliveries');

/** @returns the delivery, and whether its receiver was asked again within the time */
async function replay(id: number): Promise<{ delivery: DeliveryDetail; isTried: boolean }> {
  const params = { path: { id } };
  const begun = await api.POST('/user/webhook-deliveries/{id}/replay', { params });
  for (let looks = 1; ; looks += 1) {
    const { data } = await api.GET('/user/webhook-deliveries/{id}', { params });
    const delivery = data?.data as DeliveryDetail;
    // A failed try leaves it pending, until the next one.
    const isTried =
      delivery.status !== 'pending' || delivery.attempts_count !== begun.data?.data.attempts_count;
    if (isTried || looks >= MOST_LOOKS) return { delivery, isTried };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
