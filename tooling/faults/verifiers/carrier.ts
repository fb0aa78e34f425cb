import type { CampaignLead } from '../support/call-queries.js';

/** Observations while the carrier refused every request. Times in milliseconds since the epoch. */
export interface OutageObservations {
  /** The carrier's status. */
  status: number;
  /** The campaign's leads when the carrier works again. */
  rows: CampaignLead[];
  /** Its leads at the end of all calls. */
  rowsAfter: CampaignLead[];
  /** When campaigns began to wait for the carrier; null: never. */
  pausedAt: number | null;
  recoveredAt: number;
  /** Times of the requests for calls. */
  requests: number[];
  /** Time of the carrier's first dial after it works again; null: never. */
  dialledAt: number | null;
  /** Time for which processes waited until then for a processor in use by others, in milliseconds. */
  waitedMs: number;
}

/** Requests in transit at the start of the pause. */
const ON_THE_WAY_MS = 1_000;
/** The first probe follows after 5 s, later ones after longer pauses. */
const PROBE_GAP_MS = 4_000;
const RECOVERY_MS = 30_000;
const FINAL = new Set(['completed', 'reached-max-retries', 'blacklisted']);

/** An outage uses up no attempt, the carrier receives only probes in it, and dialling continues soon after it. */
export function verifyOutage(seen: OutageObservations): string[] {
  const { status, rows, rowsAfter, pausedAt, recoveredAt, dialledAt, waitedMs } = seen;
  const problems = [
    ...(pausedAt === null ? ['campaigns were not paused'] : notProbes(seen, pausedAt)),
    // A lead with a lost response is in a call until the carrier's list is available.
    ...rows
      .filter((lead) => FINAL.has(lead.status) || (lead.status !== 'processing' && lead.attempts > 0))
      .map(
        (lead) => `lead ${lead.id} is ${lead.status} with ${lead.attempts} attempts though nobody was called`,
      ),
    ...rowsAfter
      .filter((lead) => lead.attempts !== 1)
      .map((lead) => `lead ${lead.id} has ${lead.attempts} attempts after its one call`),
    ...(dialledAt !== null && dialledAt - recoveredAt - waitedMs <= RECOVERY_MS
      ? []
      : [
          `the first dial came ${dialledAt === null ? 'never' : `${dialledAt - recoveredAt} ms`} after the outage`,
        ]),
  ];
  return problems.map((problem) => `${status}: ${problem}`);
}

/** Requests of the pause, until the carrier works again. */
export const probesOf = ({ requests, recoveredAt }: OutageObservations, pausedAt: number): number[] =>
  requests.filter((at) => at > pausedAt + ON_THE_WAY_MS && at < recoveredAt);

function notProbes(seen: OutageObservations, pausedAt: number): string[] {
  const probes = probesOf(seen, pausedAt);
  const tooEarly = probes.filter((at, index) => at - (probes[index - 1] ?? pausedAt) < PROBE_GAP_MS);
  return tooEarly.map((at) => `the carrier was asked for a call ${at - pausedAt} ms after the pause began`);
}
