import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LeadStatus, Variables } from './lead.types.js';

/** As many leads of one number are read: a number that stands in a campaign a million times must not delay a call. */
const MAX_CANDIDATES = 20;

/** The lead of a caller. */
export interface CallerLead {
  /** Of the main lead, also when a contact calls. */
  id: number;
  /** A contact's lie over those of its main lead. */
  variables: Variables;
}

/** A lead that may still be called, or is being called. */
export interface OpenLead extends CallerLead {
  campaignId: number;
  /** Of the lead, or of the contact whose number it is. */
  dialledId: number;
  status: LeadStatus;
}

/** Finds leads by their number, and the one that has waited longest. */
@Injectable()
export class LeadLookupService {
  constructor(private readonly db: DataSource) {}

  /**
   * How long the oldest due lead of all running campaigns has been waiting; 0 for none. Reads one entry of an index
   * for each campaign.
   */
  async findOldestDueSeconds(): Promise<number> {
    const [row]: { seconds: number }[] = await this.db.query(
      `SELECT coalesce(extract(epoch FROM now() - min(due.due_at)), 0)::float8 AS seconds
         FROM running_campaigns c CROSS JOIN LATERAL (
           SELECT due_at FROM leads WHERE campaign_id = c.id AND main_lead_id IS NULL AND due_at <= now()
              AND status IN ('created', 'scheduled', 'rescheduled') ORDER BY due_at, id LIMIT 1) due`,
    );
    return row?.seconds ?? 0;
  }

  /** The account's lead, or lead of the contact, with this number; null where there is none or more than one. */
  async findOnlyLead(accountId: number, phoneNumber: string): Promise<CallerLead | null> {
    const found: (CallerLead & { removed: boolean })[] = await this.db.query(
      `SELECT coalesce(m.id, l.id) AS id, coalesce(m.variables, '{}') || l.variables AS variables,
              c.deleted_at IS NOT NULL AS removed
         FROM leads l JOIN all_campaigns c ON c.id = l.campaign_id LEFT JOIN leads m ON m.id = l.main_lead_id
        WHERE l.account_id = $1 AND l.phone_number = $2 LIMIT ${MAX_CANDIDATES}`,
      [accountId, phoneNumber],
    );
    const [only, ...others] = found.filter(({ removed }) => !removed);
    if (!only || others.length > 0 || found.length === MAX_CANDIDATES) return null;
    return { id: only.id, variables: only.variables };
  }

  /** The account's open leads with this number; those of running campaigns first, then by their due times. */
  findOpenLeads(accountId: number, phoneNumber: string): Promise<OpenLead[]> {
    return this.db.query(
      `SELECT m.id, m.campaign_id AS "campaignId", l.id AS "dialledId", m.status,
              m.variables || l.variables AS variables
         FROM leads l JOIN leads m ON m.id = coalesce(l.main_lead_id, l.id)
        WHERE l.account_id = $1 AND l.phone_number = $2
          AND m.status IN ('created', 'scheduled', 'rescheduled', 'processing')
          AND EXISTS (SELECT 1 FROM live_campaigns WHERE live_campaigns.id = m.campaign_id)
        ORDER BY EXISTS (SELECT 1 FROM running_campaigns WHERE running_campaigns.id = m.campaign_id) DESC, m.due_at, m.id
        LIMIT ${MAX_CANDIDATES}`,
      [accountId, phoneNumber],
    );
  }
}
