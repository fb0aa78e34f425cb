/** What a client may set. */
export const CLIENT_LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
export type ClientLeadStatus = (typeof CLIENT_LEAD_STATUSES)[number];

/** Waiting for a call; the index `leads_due` names the same. */
export const QUEUED_STATUSES = ['created', 'scheduled', 'rescheduled'] as const;

export const LEAD_STATUSES = [
  ...QUEUED_STATUSES,
  'processing',
  'completed',
  'reached-max-retries',
  'blacklisted',
] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export type Variables = Record<string, unknown>;

/** A number as it will be stored: E.164. */
export interface NewContact {
  phone_number: string;
  variables: Variables;
}

export interface NewLead extends NewContact {
  contacts: NewContact[];
}
