import type { CampaignLead } from '../support/call-queries.js';

/** What was seen while the carrier refused everything. Times in milliseconds since the epoch. */
export interface OutageObservations {
  /** What the carrier answered. */
  status: number;
  /** The campaign's leads when the carrier worked again. */
  rows: CampaignLead[];
  /** Its leads when all calls were over. */
  rowsAfter: CampaignLead[];
  /** When campaigns began to wait for the carrier; null: they did not. */
  pausedAt: number | null;
  recoveredAt: number;
  /** When the carrier was asked for calls. */
  requests: number[];
  /** When the carrier dialled for the first time after it worked again; null: never. */
  dialledAt: number | null;
  /** For how long processes waited until then for a processor that others had, in milliseconds. */
  waitedMs: number;
}

/** What was on its way when the pause began. */
const ON_THE_WAY_MS = 1_000;
/** The first probe follows after 5 s, later ones after longer pauses. */
const PROBE_GAP_MS = 4_000;
const RECOVERY_MS = 30_000;
const FINAL = new Set(['completed', 'reached-max-retries', 'blacklisted']);

/** An outage uses up no attempt, the carrier is only probed in it, and dialling goes on soon after it. */
export function verifyOutage(seen: OutageObservations): string[] {
  const { status, rows, rowsAfter, pausedAt, recoveredAt, dialledAt, waitedMs } = seen;
  const problems = [
    ...(pausedAt === null ? ['campaigns were not paused'] : notProbes(seen, pausedAt)),
    // One whose answer was lost is in a call until the carrier can be asked.
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
