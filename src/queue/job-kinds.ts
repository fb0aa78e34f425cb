/**
 * Every kind of background work. `places`: how many of its rows one process works on at a time. `perAccount`: how
 * many of these one account may take; always fewer, so that no account holds up another's row.
 */
export const JOB_KINDS = {
  // Claims hold the account's lock: a second one of the same account would only wait for it.
  'campaign-dial': { places: 4, perAccount: 1 },
  'call-check': { places: 8, perAccount: 4 },
  'call-wrap-up': { places: 32, perAccount: 16 },
  'webhook-delivery': { places: 64, perAccount: 16 },
  'sms-check': { places: 8, perAccount: 4 },
  'campaign-removal': { places: 2, perAccount: 1 },
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export const ALL_JOB_KINDS = Object.keys(JOB_KINDS) as JobKind[];
