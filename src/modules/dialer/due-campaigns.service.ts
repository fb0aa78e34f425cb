import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { JobRow } from '#src/queue/job-queue.js';
import { QUEUED_STATUSES } from '../leads/lead.types.js';

/**
 * Campaigns in progress that have something to do: a due lead, a free slot and an account with a balance, or no open
 * lead left. Round robin by account. Each look-up of leads is one step in the index `leads_open`.
 */
const DUE = `
  SELECT id, account_id AS "accountId" FROM (
    SELECT campaign.id, campaign.account_id,
           row_number() OVER (PARTITION BY campaign.account_id ORDER BY random()) AS turn
      FROM campaigns campaign JOIN accounts account ON account.id = campaign.account_id
     WHERE campaign.status = 'in-progress' AND campaign.deleted_at IS NULL AND account.balance_micros > account.held_micros
       AND (campaign.dial_after IS NULL OR campaign.dial_after <= now())
       AND (EXISTS (SELECT 1 FROM leads lead WHERE lead.campaign_id = campaign.id AND lead.main_lead_id IS NULL
                       AND lead.status = ANY($2) AND lead.due_at <= now())
            OR (campaign.mark_complete_when_no_leads AND NOT EXISTS (
                  SELECT 1 FROM leads lead WHERE lead.campaign_id = campaign.id AND lead.main_lead_id IS NULL
                     AND lead.status IN ('created', 'scheduled', 'rescheduled', 'processing'))))
       AND campaign.max_calls_in_parallel > (
             SELECT count(*) FROM call_attempts attempt
              WHERE attempt.account_id = campaign.account_id AND attempt.campaign_id = campaign.id
                AND attempt.state <> 'closed' AND attempt.slot_until > now())) due
   ORDER BY turn, random() LIMIT $1`;

@Injectable()
export class DueCampaignsService {
  constructor(private readonly db: DataSource) {}

  find(limit: number): Promise<JobRow[]> {
    return this.db.query(DUE, [limit, QUEUED_STATUSES]);
  }
}
