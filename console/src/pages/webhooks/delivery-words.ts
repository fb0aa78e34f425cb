import { $api, type Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { t } from '#console/texts';

export type Delivery = Schemas['DeliveryResponse'];
export type DeliveryDetail = Schemas['DeliveryDetailResponse'];
export type Attempt = DeliveryDetail['attempts'][number];

const TONES: Record<Delivery['status'], Tone> = {
  delivered: 'good',
  dead: 'bad',
  pending: 'waiting',
  cancelled: 'neutral',
};
export const toneOf = ({ status }: Delivery): Tone => TONES[status];

/** Not tried yet. */
export const isOnItsWay = ({ status, attempts_count: tries }: Delivery): boolean =>
  status === 'pending' && tries === 0;

/** Its receiver has not taken it yet: it is sent again. */
export const isFailing = ({ status, attempts_count: tries }: Delivery): boolean =>
  status === 'pending' && tries > 0;

export const statusOf = (delivery: Delivery): string =>
  isFailing(delivery) ? t.webhooks.failing : (t.webhooks.statuses[delivery.status] ?? delivery.status);

export const eventOf = ({ event }: Delivery): string => t.webhooks.events[event] ?? event;

/** What it tells of: a test, a call, or neither. */
export const causeOf = ({ test, call_id: callId }: Delivery): string | null =>
  test ? t.webhooks.test : callId === null ? null : t.webhooks.call(callId);

/** What came of an attempt: `422`, or why there was no answer. */
export const outcomeOf = ({ status_code: status, error }: Attempt): string =>
  status === null ? (error ?? t.webhooks.noAnswer) : String(status);

/** The receiver's own words of the last attempt. */
export function wordsOf({ attempts, reason }: DeliveryDetail): string {
  const last = attempts.at(-1);
  if (!last) return reason ?? t.webhooks.notSent;
  if (last.response_body) return last.response_body;
  return last.error ?? t.webhooks.emptyAnswer;
}

const STALE_MS = 60_000;

export function useAssistants() {
  return $api.useQuery('get', '/user/assistants', undefined, { staleTime: STALE_MS }).data;
}

/** Deliveries know the ids of their assistants only. */
export function useAssistantName(): (id: number) => string {
  const names = new Map(useAssistants()?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? t.webhooks.assistant(id);
}
