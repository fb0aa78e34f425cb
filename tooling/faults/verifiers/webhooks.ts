import type { Outage } from '../support/databases.js';
import type { ExpectedDelivery, RecordedAttempt } from '../support/delivery-queries.js';
import type { ReceivedRequest } from '../support/faulty-receiver.js';
import type { Kill } from '../support/cluster.js';

export interface WebhookObservations {
  /** Number of calls that were placed. */
  calls: number;
  expected: ExpectedDelivery[];
  requests: ReceivedRequest[];
  attempts: RecordedAttempt[];
  deaths: Kill[];
  outages: Outage[];
}

/** Time limit of a webhook request. */
const SEND_TIMEOUT_MS = 15_000;
/** Maximum time from the response to the commit of the attempt. */
const COMMIT_MS = 5_000;
/** A lease is 30 s; part of it may have passed before the request arrives. */
const SHORTEST_LEASE_MS = 15_000;

/** Every delivery arrives; it is repeated only after a recorded failure or an interrupted attempt. */
export function verifyWebhooks(seen: WebhookObservations): string[] {
  const requests = byId(seen.requests);
  const attempts = byId(seen.attempts);
  const calls = new Set(seen.expected.map(({ callId }) => callId)).size;
  return [
    ...(calls < seen.calls ? [`${calls} calls stand in the database, ${seen.calls} were placed`] : []),
    ...seen.expected.flatMap((delivery) =>
      problemsOf(delivery, requests.get(delivery.webhookId ?? '') ?? []),
    ),
    ...[...requests].flatMap(([id, sent]) => repeatsWithoutReason(sent, attempts.get(id) ?? [], seen)),
  ];
}

function problemsOf(
  { callId, channel, webhookId, state, recorded }: ExpectedDelivery,
  requests: ReceivedRequest[],
): string[] {
  const name = `call ${callId}, ${channel}`;
  if (webhookId === null) return [`${name}: no delivery`];
  if (state !== 'delivered') return [`${name}: ${state}`];
  const strays = requests.filter((request) => request.callId !== callId || request.channel !== channel);
  return [
    ...(requests.some(({ fate }) => fate === 'take') ? [] : [`${name}: delivered, but nothing arrived`]),
    ...(strays.length > 0 ? [`${name}: its id stood on another delivery`] : []),
    ...(recorded === 0 ? [`${name}: delivered without an attempt in the log`] : []),
  ];
}

/** An attempt belongs to the last request that arrived before it was written. */
function repeatsWithoutReason(
  requests: ReceivedRequest[],
  attempts: RecordedAttempt[],
  { deaths, outages }: Pick<WebhookObservations, 'deaths' | 'outages'>,
): string[] {
  const inOrder = requests.toSorted((a, b) => a.at - b.at);
  return inOrder.slice(0, -1).flatMap((request, index) => {
    const following = inOrder[index + 1];
    const next = following?.at ?? Infinity;
    const senders = `processes ${request.sender} and ${following?.sender}, ${request.fate}`;
    const written = attempts.filter(({ at }) => at >= request.at && at < next);
    const name = `call ${request.callId}, ${request.channel}: ${request.webhookId} came again`;
    if (written.some(({ statusCode }) => statusCode === 200)) return [`${name} after it was recorded`];
    if (written.length > 0) return [];
    const gap = next - request.at;
    if (gap < SHORTEST_LEASE_MS)
      return [`${name} after ${gap} ms (${senders}), while its attempt was under way`];
    const during = interruptedBy(request);
    const killed = deaths.some((death) => death.pid === request.sender && during(death));
    return killed || outages.some(during) ? [] : [`${name}, and its attempt was not cut`];
  });
}

/** Whether an outage overlaps the time from the arrival of a request to the commit of its attempt. */
const interruptedBy = ({ at, fate }: ReceivedRequest): ((outage: Outage) => boolean) => {
  const end = at + (fate === 'hang' ? SEND_TIMEOUT_MS : 0) + COMMIT_MS;
  return ({ from, to }) => from <= end && to >= at;
};

function byId<T extends { webhookId: string }>(items: T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(item.webhookId, [...(found.get(item.webhookId) ?? []), item]);
  return found;
}
