import { $api } from '#console/api/client';
import { isFailing, type Delivery } from './delivery-words';

/** Of the newest ones that are not delivered yet; those before were tried more often. */
const LOOKED_AT = 25;
const LOOK_MS = 5_000;

/** Deliveries that their receivers have not taken yet, the newest first. */
export function useFailingWebhooks(): Delivery[] {
  const { data } = $api.useQuery(
    'get',
    '/user/webhook-deliveries',
    { params: { query: { status: 'pending', per_page: LOOKED_AT } } },
    { refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? LOOK_MS : false) },
  );
  return (data?.data ?? []).filter(isFailing);
}
