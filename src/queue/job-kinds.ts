/** Every kind of background work, with how many of its rows one process works on at a time. */
export const JOB_KINDS = {
  'campaign-dial': { concurrency: 4 },
  'call-check': { concurrency: 4 },
  'call-wrap-up': { concurrency: 16 },
  'webhook-delivery': { concurrency: 64 },
  'sms-check': { concurrency: 4 },
  'campaign-removal': { concurrency: 1 },
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export const ALL_JOB_KINDS = Object.keys(JOB_KINDS) as JobKind[];
