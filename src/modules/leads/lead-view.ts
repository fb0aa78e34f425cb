import type { Lead } from './entities/lead.entity.js';
import type { Variables, LeadStatus } from './lead.types.js';

/** A lead for other modules. */
export interface LeadView {
  id: number;
  campaignId: number;
  /** E.164 */
  phoneNumber: string;
  variables: Variables;
  status: LeadStatus;
  /** Calls placed to this number since the lead was last put into the queue. */
  attempts: number;
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

/** A main lead whose call has ended, locked. */
export interface CalledLead extends LeadForDialling {
  /** The lead may have been moved since it was dialled. */
  campaignId: number;
  requeueAfterCall: boolean;
  /** Ids of those of its numbers that the carrier has reported not to exist. */
  invalid: ReadonlySet<number>;
}

export const toLeadView = (lead: Lead): LeadView => ({
  id: lead.id,
  campaignId: lead.campaignId,
  phoneNumber: lead.phoneNumber,
  variables: lead.variables,
  status: lead.status,
  attempts: lead.attempts,
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
