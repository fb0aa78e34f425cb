/** Statuses that a client may set. */
export const CLIENT_LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
export type ClientLeadStatus = (typeof CLIENT_LEAD_STATUSES)[number];

/** Waiting for a call. */
export const QUEUED_STATUSES = ['created', 'scheduled', 'rescheduled'] as const;
/** Waiting for a call or in one. */
export const OPEN_STATUSES = [...QUEUED_STATUSES, 'processing'] as const;

export const LEAD_STATUSES = [...OPEN_STATUSES, 'completed', 'reached-max-retries', 'blacklisted'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** The outcome of the last call to a lead, or why the lead could not be called. */
export const LEAD_OUTCOMES = [
  'completed',
  'goal_incomplete',
  'opted_out',
  'machine',
  'busy',
  'no-answer',
  'failed',
  'invalid_number',
  'no_timezone',
  'number_limit',
  'suppressed',
  'destination_not_allowed',
] as const;
export type LeadOutcome = (typeof LEAD_OUTCOMES)[number];

export type Variables = Record<string, unknown>;

/** A number as it will be stored: E.164. */
export interface NewContact {
  phone_number: string;
  variables: Variables;
}

export interface NewLead extends NewContact {
  contacts: NewContact[];
}
