import type { Lead } from './entities/lead.entity.js';

/** What a client may set. */
export const CLIENT_LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
export type ClientLeadStatus = (typeof CLIENT_LEAD_STATUSES)[number];

/** Waiting for a call. */
export const QUEUED_STATUSES = ['created', 'scheduled', 'rescheduled'] as const;
/** Waiting for a call or in one; the index `leads_open` names the same. */
export const OPEN_STATUSES = [...QUEUED_STATUSES, 'processing'] as const;

export const LEAD_STATUSES = [...OPEN_STATUSES, 'completed', 'reached-max-retries', 'blacklisted'] as const;
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

/** What other modules may know of a lead. */
export interface LeadView {
  id: number;
  campaignId: number;
  /** E.164 */
  phoneNumber: string;
  variables: Variables;
  status: LeadStatus;
  createdAt: Date;
  updatedAt: Date;
}

export interface ContactForDialling {
  id: number;
  phoneNumber: string;
  variables: Variables;
  status: LeadStatus;
  /** Calls placed to this number since the lead was last put into the queue. */
  attempts: number;
}

/** A main lead, locked, with its contacts in the order in which they are tried. */
export interface LeadForDialling extends ContactForDialling {
  contacts: ContactForDialling[];
}

/** Properties that decide when a number may be called. */
export type NumberToJudge = Pick<ContactForDialling, 'id' | 'phoneNumber' | 'attempts'>;

/** A locked main lead, with what its window needs. */
export interface LeadToJudge extends NumberToJudge {
  /** The variable of that name, of whatever type. */
  timezone: unknown;
  contacts: NumberToJudge[];
}

export const toLeadView = (lead: Lead): LeadView => ({
  id: lead.id,
  campaignId: lead.campaignId,
  phoneNumber: lead.phoneNumber,
  variables: lead.variables,
  status: lead.status,
  createdAt: lead.createdAt,
  updatedAt: lead.updatedAt,
});

export const toContactForDialling = (lead: Lead): ContactForDialling => ({
  id: lead.id,
  phoneNumber: lead.phoneNumber,
  variables: lead.variables,
  status: lead.status,
  attempts: lead.attempts,
});
